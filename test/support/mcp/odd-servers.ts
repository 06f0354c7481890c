import { oddAnswers, oddBeginnings } from './odd-lines';
import { oddLogins } from './odd-logins';
import { oddRequests } from './odd-requests';
import { oddResults } from './odd-results';
import { oddDescriptions, oddNames, oddSchemas } from './odd-words';

export const oddities = [
  ...oddNames,
  ...oddDescriptions,
  ...oddSchemas,
  ...oddAnswers,
  ...oddBeginnings,
  ...oddRequests,
  ...oddLogins,
  ...oddResults,
];

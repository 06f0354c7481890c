/** PURE: the models that a user can have on this device, as cards, without their stored state. */
import type { ModelSpec } from '../../contracts/model';
import type { BroughtState, Endpoint, ModelCard, OwnModel } from '../../contracts/model-library';
import type { DeviceFacts } from '../../platform/webgpu';
import { engineOf } from '../registry';
import { catalog } from './catalog';
import { memoryAt, type Variant } from './entry';
import { ownSpec } from './find-model';
import { nameOf } from './name-of';
import { type Fit, recommend } from './recommend';

export type BareCard = Omit<ModelCard, 'kept' | 'isSizeKnown'>;

export interface BroughtHere {
  spec: ModelSpec;
  state: BroughtState;
}

/** Sorts the cards: shipped, browser's own, user's own, then the recommended model and the rest by rank. */
export function cardsFor(
  device: DeviceFacts,
  {
    shipped,
    ownModels,
    brought = [],
  }: {
    shipped: readonly ModelSpec[];
    ownModels: readonly OwnModel[];
    brought?: readonly BroughtHere[];
  },
): readonly BareCard[] {
  const { best, all } = recommend(device, catalog);
  const ordered = best ? [best, ...all.filter((fit) => fit !== best)] : all;
  return [
    ...shipped.map(builtInCard),
    ...brought.filter(({ state }) => state !== 'unfit').map(broughtCard),
    ...ownModels.map((own) => ownCard(own, shipped)),
    ...ordered.map((fit) => catalogCard(fit, fit === best)),
  ];
}

/** The card of another variant of an entry, if it is on this device. */
export function variantCard(fit: Fit, variant: Variant): BareCard {
  return catalogCard({ ...fit, variant }, false);
}

function builtInCard(spec: ModelSpec): BareCard {
  return {
    ...nameOf(spec),
    licence: spec.licence,
    contextTokens: spec.contextTokens,
    verdict: 'good',
    isLarge: false,
    findings: [],
    isRecommended: false,
    origin: 'built-in',
    canThink: false,
    makesVectors: engineOf(spec)?.makesVectors === true,
    languages: spec.languages,
    isFromDisk: false,
  };
}

function broughtCard({ spec, state }: BroughtHere): BareCard {
  return { ...builtInCard(spec), origin: 'browser', brought: state };
}

function ownCard(own: OwnModel, shipped: readonly ModelSpec[]): BareCard {
  const spec = ownSpec(own, shipped);
  return {
    ...nameOf(spec),
    contextTokens: spec.contextTokens,
    verdict: 'good',
    isLarge: false,
    findings: [],
    isRecommended: false,
    origin: 'own',
    canThink: false,
    makesVectors: engineOf(spec)?.makesVectors === true,
    languages: spec.languages,
    isFromDisk: own.isFromDisk ?? false,
    ...(own.endpoint && { endpoint: shownOf(own.modelUrl, own.endpoint) }),
  };
}

function shownOf(
  address: string,
  { model, key, isNative, canSee = false }: Endpoint,
): NonNullable<BareCard['endpoint']> {
  return { address, model, isNative, canSee, hasKey: key !== undefined };
}

function catalogCard(
  { entry, variant, contextTokens, verdict, isLarge, findings }: Fit,
  isRecommended: boolean,
): BareCard {
  return {
    id: variant.id,
    name: entry.name,
    engine: entry.engine,
    place: engineOf(entry)?.place,
    bytes: variant.downloadBytes,
    about: entry.about,
    licence: entry.licence,
    memoryMb: Math.round(memoryAt(entry, variant, contextTokens)),
    contextTokens,
    verdict,
    isLarge,
    findings,
    isRecommended,
    origin: 'catalog',
    canThink: entry.thinking !== undefined,
    makesVectors: engineOf(entry)?.makesVectors === true,
    languages: entry.languages,
    isFromDisk: false,
  };
}

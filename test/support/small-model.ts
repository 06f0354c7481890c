/** Creates the small model's policy with the clock's table of places, as the app does. */
import { createPolicy } from '../../src/ember';
import { placeIndex, toPlaceKey } from '../../src/tools/builtin/clock/places';

export const loadPlaces = async () => (name: string) => placeIndex.has(toPlaceKey(name));

export const smallModel = createPolicy({ loadPlaces });

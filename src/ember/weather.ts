/** What a request for the weather says. */

export interface WeatherRequest {
  /** As they are written; none where none is named. */
  places: readonly string[];
  /** Days from today on, 2 to 7; undefined for now or today. */
  days: number | undefined;
}

/** Whether a table of places has this name. */
export type IsPlace = (name: string) => boolean;

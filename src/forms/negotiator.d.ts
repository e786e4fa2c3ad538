/** The part of `negotiator` 1 that we use. Its published types are for 0.6, without `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | string[] | undefined> })
    /** @param options.preferred what to take of those that the client likes as well as each other */
    encodings(available: string[], options: { preferred: string[] }): string[]
  }
}

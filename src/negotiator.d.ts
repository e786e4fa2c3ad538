/** What we use of `negotiator` 1, whose published types end at 0.6 and know no preference. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | string[] | undefined> })
    /** @param options.preferred what to take of those that the client likes as well as each other */
    encodings(available: string[], options: { preferred: string[] }): string[]
    mediaType(available: string[]): string | undefined
  }
}

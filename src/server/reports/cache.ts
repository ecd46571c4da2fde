/**
 * Answers that stay right until their property's facts change. The key holds the facts version, so
 * a new version is simply another key; callers that miss together share one computation.
 */
export function createAnswerCache(maxEntries: number) {
  const answers = new Map<string, Promise<unknown>>()
  return {
    get<T>(key: string, compute: () => Promise<T>): Promise<T> {
      const known = answers.get(key) as Promise<T> | undefined
      if (known) {
        // Put at the end again: the entry dropped first is the one unused for longest.
        answers.delete(key)
        answers.set(key, known)
        return known
      }
      const answer = compute()
      answers.set(key, answer)
      answer.catch(() => answers.delete(key))
      if (answers.size > maxEntries) answers.delete(answers.keys().next().value as string)
      return answer
    },
  }
}

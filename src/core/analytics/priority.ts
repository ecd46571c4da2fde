export type Priority = 'High' | 'Medium' | 'Low'

/** How worthwhile a keyword is, by its opportunity score (SPEC §4). */
export function priorityOf(score: number): Priority {
  if (score >= 20) return 'High'
  return score >= 10 ? 'Medium' : 'Low'
}

/**
 * Takes steps that don't depend on each other, one after another: one that fails doesn't keep the others from being taken.
 * @param signal once aborted, the rest is left
 * @throws at the end, what failed
 */
export async function eachStep(steps: readonly (() => Promise<unknown>)[], signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) if (!signal?.aborted) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'Several steps failed')
}

/**
 * A way to a store for readiness checks only: it has a connection, or a session, of its own, so that a check never stands in line behind
 * people's statements, however many there are.
 */
export type StoreCheck<Client> = {
  readonly client: Client
  /** When the store last answered anybody in this process, as of `performance.now()`. */
  answeredAt(): number
}

/** Longest wait for a check. */
export const checkPatienceMs = 2_000
/** A store that answered somebody this recently is there, even if it is too busy to answer a check. */
const recentMs = 10_000

/**
 * Asks a store whether it is ready. Whether it is slow is not the question: a check that gets no answer in time, or that the store is too
 * busy for, passes if the store answered anybody a moment ago.
 * @throws why it is not ready
 */
export async function checkStore<Client>(
  { client, answeredAt }: StoreCheck<Client>,
  ask: (client: Client, signal: AbortSignal) => Promise<unknown>,
  isBusy: (error: unknown) => boolean,
): Promise<void> {
  const late = AbortSignal.timeout(checkPatienceMs)
  const noAnswer = new Promise<never>((_resolve, reject) => {
    late.addEventListener('abort', () => reject(new Error(`no answer in ${checkPatienceMs} ms`)), { once: true })
  })
  try {
    await Promise.race([ask(client, late), noAnswer])
  } catch (error) {
    const isThere = (late.aborted || isBusy(error)) && performance.now() - answeredAt() < recentMs
    if (!isThere) throw error
  }
}

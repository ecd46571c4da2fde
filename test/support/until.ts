import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats a request until the answer is as expected; fails with the last answer after `ms`. */
export async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean, ms = 30_000): Promise<T> {
  const end = Date.now() + ms
  let pause = 10
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    if (Date.now() > end) throw new Error(`Not within ${ms} ms; the last answer was ${JSON.stringify(answer)}`)
    await sleep(pause)
    // Quick results are seen immediately; slow ones aren't slowed down by polling.
    pause = Math.min(100, pause * 1.5)
  }
}

import { throughConsent } from '../test/support/consent.ts'
import { createVisitor } from '../test/support/visitor.ts'
import { type Reader, runLoad } from './load-generator.ts'
import { percentile } from './support.ts'
import { emailOf, propertiesOf } from './synced-people.ts'

/** Milliseconds, p95. */
export type Reads = {
  /** The first read of a property's cards since the server started. */
  first: number
  /** Session, metrics and alerts, repeatedly. */
  again: number
  errors: number
}

const mostReaders = 20
const pace = 50

/** Dashboards on a freshly started server, so slowly that only the response time counts. */
export async function readDashboards(
  url: string,
  { people, propertiesEach, sites }: { people: number; propertiesEach: number; sites: number },
  seconds: number,
): Promise<Reads> {
  const readers: Reader[] = []
  const first: number[] = []
  for (let number = 0; number < Math.min(people, mostReaders); number += 1) {
    const visitor = createVisitor(() => url)
    await throughConsent(visitor, { account: emailOf(number) })
    const names = propertiesOf(number, propertiesEach, sites)
    for (const name of names) {
      const begun = performance.now()
      const answer = await visitor.get(`/api/metrics?property=${encodeURIComponent(name)}`)
      first.push(performance.now() - begun)
      if (answer.status !== 200 || answer.body === null) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    const cookie = [...visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    readers.push({ cookie, username: '', address: `10.0.${number}.1`, properties: names.map((name) => ({ name })) })
  }
  const again = await runLoad({ url, readers, seconds, perSecond: pace, most: pace * seconds, checkEvery: null })
  return { first: percentile(first, 0.95), again: again.p95, errors: again.errors }
}

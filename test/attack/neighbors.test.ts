import { expect } from 'vitest'
import { appTest } from '../support/app-test.ts'
import { registered } from '../support/people.ts'
import { inFull } from '../support/in-full.ts'

// Two people behind one address, and one person behind several.

const test = appTest({ demo: false })
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const [office, elsewhere] = [from('198.51.100.20'), from('198.51.100.21')]

test.for([
  ['/api/alerts/export.csv', 'GET', undefined, 30],
  ['/api/sync', 'POST', { property: 'none' }, 60],
  ...inFull([
    ['/api/keys', 'POST', {}, 30],
    ['/api/report-runs', 'POST', {}, 30],
  ]),
] as const)(
  '%s: whoever uses up their requests leaves their neighbor theirs, and those of the same account from elsewhere',
  async ([path, method, body, most], { app }) => {
    const name = path.replaceAll(/\W/g, '')
    const [busy, neighbor] = [await registered(app, `busy${name}`), await registered(app, `calm${name}`)]
    const ask = (who: typeof busy, where: typeof office) => (method === 'GET' ? who.get(path, where) : who.send(method, path, body, where))
    const answers = await Promise.all(Array.from({ length: most + 2 }, () => ask(busy, office)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
    // One of the two networks may be that of a thief with a copied cookie.
    expect((await ask(busy, elsewhere)).status).not.toBe(429)
    expect((await ask(neighbor, office)).status).not.toBe(429)
  },
)

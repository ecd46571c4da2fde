import { everyScreen } from '../support/every-screen/all.ts'
import { expectStill, lookAt } from '../support/every-screen/look.ts'
import { expect, test } from '../support/screen-test.ts'

/** Each screen as most people see it, the first of them in every run. Other states, themes and widths: every-screen.full. */
const usual = ['dashboard with open alerts', 'login', 'alert report']
const screens = everyScreen.filter(({ name }) => usual.includes(name))

test('each of these exists', () => {
  expect(screens).toHaveLength(usual.length)
})

for (const [tags, some] of [
  [[], screens.filter(({ name }) => name === usual[0])],
  [['full'], screens.filter(({ name }) => name !== usual[0])],
] as const) {
  test.for(some)('$name: accessible, and fits a desktop, a tablet and a phone', { tags: [...tags] }, (screen, { desk, open }) =>
    lookAt(screen, { desk, open }),
  )

  test.for(some)('$name: nothing moves while it loads', { tags: [...tags] }, (screen, { desk, open }) =>
    expectStill(screen, { desk, open }, 1_024),
  )
}

import { everyScreen } from '../support/every-screen/all.ts'
import { expectStill, lookAt } from '../support/every-screen/look.ts'
import { expect, test } from '../support/screen-test.ts'

/** Each screen as most people see it. Other states, themes and widths: every-screen.full. */
const usual = ['login', 'dashboard with open alerts', 'alert report']
const screens = everyScreen.filter(({ name }) => usual.includes(name))

test('each of these exists', () => {
  expect(screens).toHaveLength(usual.length)
})

test.for(screens)('$name: accessible, and fits a desktop, a tablet and a phone', (screen, { desk, open }) => lookAt(screen, { desk, open }))

test.for(screens)('$name: nothing moves while it loads', (screen, { desk, open }) => expectStill(screen, { desk, open }, 1_024))

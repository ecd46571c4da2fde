import { everyScreen } from '../support/every-screen/all.ts'
import { lookAt } from '../support/every-screen/look.ts'
import { expect, test } from '../support/screen-test.ts'

/** Each screen as most people see it. What else it may look like, and in which theme and width: every-screen.full. */
const usual = ['login', 'dashboard with open alerts', 'sites', 'alert report', 'keyword opportunities: opportunities', 'settings']
const screens = everyScreen.filter(({ name }) => usual.includes(name))

test('each of these is known', () => {
  expect(screens).toHaveLength(usual.length)
})

test.for(screens)('$name: bars nobody, and fits a desk, a tablet and a phone', (screen, { desk, open }) => lookAt(screen, { desk, open }))

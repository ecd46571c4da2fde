import { everyScreen } from '../support/every-screen/all.ts'
import { expectStill, lookCloselyAt } from '../support/every-screen/look.ts'
import { test } from '../support/screen-test.ts'

test.for(everyScreen)('$name: accessible, in either theme, on a desktop or on a phone, from 320 to 1,920 px', (screen, { desk, open }) =>
  lookCloselyAt(screen, { desk, open }),
)

/** Those that load differently. */
const loading = [...Map.groupBy(everyScreen, ({ answers }) => answers).values()]
  .flatMap((screens) => [...Map.groupBy(screens, ({ address }) => address).values()])
  .flatMap(([screen]) => screen ?? [])
test.for(loading.flatMap((screen) => [375, 1_024, 1_440].map((width) => ({ name: screen.name, screen, width }))))(
  '$name: nothing moves while it loads at $width px',
  ({ screen, width }, { desk, open }) => expectStill(screen, { desk, open }, width),
)

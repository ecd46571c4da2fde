import { reportScreens } from '../../support/every-screen/reports.ts'
import { lookAt } from '../../support/every-screen/look.ts'
import { test } from '../../support/screen-test.ts'

test.for(reportScreens)('$name: bars nobody, and fits a desk, a tablet and a phone', (screen, { desk, open }) =>
  lookAt(screen, { desk, open }),
)

import type { Page } from 'playwright-core'
import type { Desk } from '../answers/desk.ts'
import { expectVisible } from '../browser-expect.ts'

/** A state in which a screen looks different: the server's answers, a URL, and the steps before it is checked. */
export type Screen = { name: string; answers: (desk: Desk) => void; address: string; see: (page: Page) => Promise<void> }

export const heading = (name: string) => (page: Page) => expectVisible(page.getByRole('heading', { name }))

/** The four cards of the dashboard. */
export async function cards(page: Page): Promise<void> {
  await expectVisible(page.getByRole('region', { name: 'Position' }), page.getByText('complete through'))
}

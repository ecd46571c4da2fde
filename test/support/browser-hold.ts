import type { Page } from 'playwright-core'

/** Holds calls to these addresses until released, as on a slow line. */
export async function hold(page: Page, addresses: string | RegExp): Promise<{ release: () => void }> {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => void (release = resolve))
  await page.route(addresses, async (route) => {
    await released
    await route.continue()
  })
  return { release: () => release() }
}

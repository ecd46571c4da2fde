import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Assets, AssetsContext } from './assets.ts'
import { HelpPage } from './help/HelpPage.tsx'
import { LandingPage } from './landing/LandingPage.tsx'
import { PrivacyPage } from './legal/PrivacyPage.tsx'
import { TermsPage } from './legal/TermsPage.tsx'
import type { PageName } from './page-names.ts'
import type { Billing } from '../contract/user.ts'
import { BillingContext } from './sold.tsx'
import { ReferencePage } from './reference/ReferencePage.tsx'

const pages: Record<PageName, ReactElement> = {
  landing: <LandingPage />,
  'landing-demo': <LandingPage demo />,
  help: <HelpPage />,
  privacy: <PrivacyPage />,
  terms: <TermsPage />,
  'api-docs': <ReferencePage />,
}

/** A page as the file that browsers get. */
export function renderPage(name: PageName, billing: Billing, assets: Assets): string {
  const page = (
    <AssetsContext value={assets}>
      <BillingContext value={billing}>{pages[name]}</BillingContext>
    </AssetsContext>
  )
  return `<!doctype html>${renderToStaticMarkup(page)}`
}

import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Assets, AssetsContext } from './assets.ts'
import { HelpPage } from './help/HelpPage.tsx'
import { LandingPage } from './landing/LandingPage.tsx'
import { PrivacyPage } from './legal/PrivacyPage.tsx'
import { TermsPage } from './legal/TermsPage.tsx'
import type { PageName } from './page-names.ts'
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
export function renderPage(name: PageName, assets: Assets): string {
  return `<!doctype html>${renderToStaticMarkup(<AssetsContext value={assets}>{pages[name]}</AssetsContext>)}`
}

import type { ReactNode } from 'react'
import { sitePages, legalLinks } from '../../contract/screens.ts'
import { Logo } from '../../web/ui/Logo.tsx'

/** As wide as the pages get, and how far their content stays from the window's edge. */
export const frame = 'mx-auto w-full max-w-[72rem] px-4 sm:px-6 lg:px-8'

/** The product's name, which links to the landing page (or the dashboard, for people who are logged in), plus the page's own items. */
export function SiteHeader({ children }: { children: ReactNode }) {
  return (
    <header className="border-b border-line bg-page">
      <div className={`${frame} flex h-16 items-center justify-between gap-4`}>
        <a href={sitePages.landing} className="inline-flex min-h-10 items-center rounded-control">
          <Logo />
        </a>
        <div className="flex items-center gap-2">{children}</div>
      </div>
    </header>
  )
}

export function SiteFooter() {
  return (
    <footer className="border-t border-line">
      <div className={`${frame} flex flex-wrap items-center gap-x-8 gap-y-4 py-8 text-sm text-muted`}>
        <a href={sitePages.landing} className="inline-flex min-h-10 items-center rounded-control text-text">
          <Logo />
        </a>
        <p className="max-w-[46ch]">The alerts and reports you wish Search Console would send.</p>
        <nav aria-label="Help and legal" className="flex flex-wrap gap-x-6 sm:ml-auto">
          {legalLinks.map(({ label, path }) => (
            <a key={path} href={path} className="inline-flex min-h-10 items-center rounded-control hover:underline">
              {label}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  )
}

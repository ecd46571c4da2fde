import type { ReactNode } from 'react'
import { sitePages } from '../../contract/screens.ts'
import { Logo } from '../../web/ui/Logo.tsx'
import { frame } from './frame.ts'

/** The product's name, which leads to the landing (or the dashboard, for who is signed in), and what a page has beside it. */
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

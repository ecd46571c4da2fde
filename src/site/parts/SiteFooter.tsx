import { Logo } from '../../web/ui/Logo.tsx'
import { legalLinks, sitePages } from '../../contract/screens.ts'
import { frame } from './frame.ts'

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

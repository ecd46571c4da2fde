import { screens } from '../../contract/screens.ts'
import { Document } from '../parts/Document.tsx'
import { frame, SiteFooter, SiteHeader } from '../parts/frame.tsx'
import { guide } from './guide.tsx'

/**
 * The page around the API reference. The server, which knows the operations and its own URL, fills in the parts in double braces
 * (src/server/api/docs-routes.ts).
 */
export function ReferencePage() {
  return (
    <Document title="API reference · Ranklark" description="Ranklark’s API and MCP server: getting started, endpoints and tools.">
      <SiteHeader>
        <a
          href={screens.developers}
          className="inline-flex h-10 items-center rounded-control border border-line-control bg-surface px-3.5 font-medium hover:bg-sunken"
        >
          Create a key
        </a>
      </SiteHeader>
      <main id="content" tabIndex={-1} className={`${frame} pt-10 pb-20 outline-none sm:pt-16`}>
        <h1 className="text-[2rem] leading-10 font-semibold tracking-tight sm:text-[2.5rem] sm:leading-12">API reference</h1>
        <p className="mt-3 max-w-[65ch] text-[1.0625rem] leading-7 text-muted">
          Search Console data, alerts and alert rules for your own apps, and for AI assistants over MCP.
        </p>
        <div className="mt-8 grid gap-x-16 sm:mt-12 lg:grid-cols-[15rem_minmax(0,1fr)]">
          <nav aria-labelledby="contents" className="max-lg:rounded-card max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-5">
            <div className="lg:sticky lg:top-8 lg:max-h-[calc(100vh-4rem)] lg:overflow-y-auto">
              <h2 id="contents" className="font-semibold">
                On this page
              </h2>
              <ul className="contents-list">
                {guide.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
                {'{{contents}}'}
              </ul>
            </div>
          </nav>
          <div className="prose reference">
            {guide.map(({ id, title, content }) => (
              <section key={id} aria-labelledby={id}>
                <h2 id={id}>{title}</h2>
                {content}
              </section>
            ))}
            {'{{reference}}'}
          </div>
        </div>
      </main>
      <SiteFooter />
    </Document>
  )
}

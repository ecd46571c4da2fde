import type { ReactNode } from 'react'
import { screens } from '../../contract/screens.ts'
import { useSelling } from '../sold.tsx'
import { Document } from './Document.tsx'
import { frame, SiteFooter, SiteHeader } from './frame.tsx'

/** `sold`: about plans; omitted where none are sold. */
export type Chapter = { id: string; title: string; content: ReactNode; sold?: true }

type ArticleProps = { title: string; description: string; intro: ReactNode; chapters: readonly Chapter[] }

/** A page of text: its chapters, and a table of contents. */
export function Article({ title, description, intro, chapters: all }: ArticleProps) {
  const selling = useSelling()
  const chapters = all.filter(({ sold }) => selling || !sold)
  return (
    <Document title={`${title} · Ranklark`} description={description}>
      <SiteHeader>
        <a
          href={screens.dashboard}
          className="inline-flex h-10 items-center rounded-control border border-line-control bg-surface px-3.5 font-medium hover:bg-sunken"
        >
          Open Ranklark
        </a>
      </SiteHeader>
      <main id="content" tabIndex={-1} className={`${frame} pt-10 pb-20 outline-none sm:pt-16`}>
        <h1 className="text-[2rem] leading-10 font-semibold tracking-tight sm:text-[2.5rem] sm:leading-12">{title}</h1>
        <div className="mt-3 max-w-[65ch] text-[1.0625rem] leading-7 text-muted">{intro}</div>
        <div className="mt-8 grid gap-x-16 sm:mt-12 lg:grid-cols-[14rem_minmax(0,1fr)]">
          <nav aria-labelledby="contents" className="max-lg:rounded-card max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-5">
            <div className="lg:sticky lg:top-8">
              <h2 id="contents" className="font-semibold">
                On this page
              </h2>
              <ul className="mt-2 max-lg:grid max-lg:gap-x-6 max-lg:sm:grid-cols-2">
                {chapters.map((chapter) => (
                  <li key={chapter.id}>
                    <a
                      href={`#${chapter.id}`}
                      className="flex min-h-10 items-center rounded-control text-muted hover:text-text hover:underline lg:min-h-8"
                    >
                      {chapter.title}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          </nav>
          <div className="prose">
            {chapters.map(({ id, title: heading, content }) => (
              <section key={id} aria-labelledby={id}>
                <h2 id={id}>{heading}</h2>
                {content}
              </section>
            ))}
          </div>
        </div>
      </main>
      <SiteFooter />
    </Document>
  )
}

import type { ReactNode } from 'react'
import { useAssets } from '../assets.ts'

type DocumentProps = { title: string; description: string; children: ReactNode }

/** A complete page. Its one script chooses the theme before anything is painted, as in the app. */
export function Document({ title, description, children }: DocumentProps) {
  const { style, font } = useAssets()
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Ranklark" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <script src="/boot.js" />
        <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="" />
        <link rel="stylesheet" href={style} />
      </head>
      <body>
        <a
          href="#content"
          className="sr-only rounded-control bg-surface px-4 py-2.5 font-medium shadow-float focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:z-20"
        >
          Skip to content
        </a>
        {children}
      </body>
    </html>
  )
}

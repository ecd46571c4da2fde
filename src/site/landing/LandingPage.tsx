import { demoLogin } from '../../contract/demo.ts'
import { Document } from '../parts/Document.tsx'
import { frame } from '../parts/frame.ts'
import { SiteFooter } from '../parts/SiteFooter.tsx'
import { SiteHeader } from '../parts/SiteHeader.tsx'
import { Faqs } from './Faqs.tsx'
import { GetStarted } from './GetStarted.tsx'
import { Hero } from './Hero.tsx'
import { logIn, signUp } from './links.ts'
import { Proof } from './Proof.tsx'
import { WhatYouGet } from './WhatYouGet.tsx'
import { Why } from './Why.tsx'

const description =
  'Ranklark monitors your Search Console data and alerts you by email, Slack or SMS when clicks, impressions, CTR or positions really change.'

/** What visitors see at `/` (SPEC §2). A demo also says how to try it. */
export function LandingPage({ demo = false }: { demo?: boolean }) {
  return (
    <Document title="Ranklark · SEO insights that find you" description={description}>
      {demo && <DemoNote />}
      <SiteHeader>
        <a href={logIn} className="inline-flex h-10 items-center rounded-control px-3.5 font-medium hover:bg-sunken">
          Log in
        </a>
        <a
          href={signUp}
          className="inline-flex h-10 items-center rounded-control border border-line-control bg-surface px-3.5 font-medium hover:bg-sunken"
        >
          Sign up
        </a>
      </SiteHeader>
      <main id="content" tabIndex={-1} className="outline-none">
        <Hero />
        <Why />
        <Proof />
        <WhatYouGet />
        <GetStarted />
        <Faqs />
      </main>
      <SiteFooter />
    </Document>
  )
}

/** Only where the server is a demo. */
function DemoNote() {
  return (
    <aside aria-label="Demo" className="border-b border-line bg-brand-soft">
      <p className={`${frame} py-2.5`}>
        <strong className="font-semibold">This is a demo with made-up sites.</strong>{' '}
        <a href={logIn} className="font-medium text-brand underline underline-offset-2">
          Log in
        </a>{' '}
        as <code>{demoLogin.username}</code> with the password <code>{demoLogin.password}</code>. Three sample sites are already connected.
      </p>
    </aside>
  )
}

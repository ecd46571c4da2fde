import { mostRecipients, reportMailsADay } from '../../contract/report-limits.ts'
import { logoLimits, shareDays } from '../../contract/publishing.ts'
import { screens } from '../../contract/screens.ts'
import { plans } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { plansWith } from './plan-words.ts'

export const reports: Chapter = {
  id: 'reports',
  title: 'Reports',
  content: (
    <>
      <p>
        <a href={screens.reports}>Reports</a> say what a week (Monday to Sunday) or a month brought: totals against the period before and
        the one a year earlier, the days with your notes on them, the top pages and keywords. Every figure is the one that the screens show
        for the same days. A period can be reported on once each of its days is stored and complete at Google, and is compared only with one
        of which that is true as well. Whoever gets a report from you, by link, as PDF or by mail, sees only the notes on that property that
        you have marked “Show in reports you share”; all others are yours alone.
      </p>
      <p>
        <Sold otherwise="There are weekly and monthly reports, and each">
          Every plan has the monthly summary on screen. On {plansWith(({ reporting }) => reporting !== 'basic')} there are weekly reports
          too, and each
        </Sold>{' '}
        also has the pages and keywords that rose or fell most, opportunities, and the alerts that were open in these days with what became
        of them. “Download PDF” makes one in A4 or US Letter; PDFs are kept for 90 days.
      </p>
      <h3>By mail, on a schedule</h3>
      <p>
        A schedule says about what, how often, and to whom:{' '}
        <Sold otherwise={`up to ${mostRecipients} recipients`}>
          up to {plans.pro.reportRecipients} recipients on Pro, {plans.agency.reportRecipients} on Agency
        </Sold>
        . The PDF goes out at the hour at which you get digests, as soon as the last day is complete at Google, usually two to three days
        after the week or month has ended. Where Google is late, it goes out five days after the end with what there is, and says what is
        missing. “Send now” does not wait. What the mail server does not take is tried again for a day.
      </p>
      <p>
        Everybody but you agrees once: a new address gets a letter with a link, good for 7 days, and no report before that link is used.
        Every mail has a link with which its recipient ends them. Whoever has done that gets no more reports of your account, whatever
        schedule. An account sends up to {reportMailsADay.toLocaleString('en-US')} mails with reports a day. Weeks and months that were
        missed<Sold>, say while a plan had lapsed,</Sold> are not sent afterwards.
      </p>
      <h3 id="brand">Your own brand and clients</h3>
      <p>
        <Sold otherwise="Reports">On {plansWith(({ reporting }) => reporting === 'white-label')}, reports</Sold> bear your name, colour and
        logo (PNG, JPEG or WebP, at most {logoLimits.bytes / 1024 / 1024} MiB), in pages, PDFs and mails, and nothing of ours. Mails come in
        your sender’s name, and answers go to your address; the address they are sent from, and the one in links, stay those of this
        installation. A client is a set of your properties with one report about all of them, schedules and links of its own.
      </p>
      <h3>Links</h3>
      <p>
        “Share link” makes an address at which whoever has it reads that one report, without an account
        <Sold>, on {plansWith(({ reporting }) => reporting === 'white-label')}</Sold>. It ends by itself after{' '}
        {shareDays.slice(0, -1).join(', ')} or {shareDays.at(-1)} days, and at once when you withdraw it. You see how often it was opened.
      </p>
    </>
  ),
}

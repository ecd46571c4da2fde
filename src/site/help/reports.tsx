import { mostRecipients, reportFilesKept, reportMailsADay, reportsMadeADay } from '../../contract/reports/limits.ts'
import { logoLimits, shareDays } from '../../contract/reports/reports.ts'
import { screens } from '../../contract/screens.ts'
import { plans } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { plansWith } from './copy.ts'

export const reports: Chapter = {
  id: 'reports',
  title: 'Reports',
  content: (
    <>
      <p>
        <a href={screens.reports}>Reports</a> summarize a week (Monday to Sunday) or a month: totals compared with the previous period and
        the same period last year, a daily chart with your notes, and the top pages and keywords. Numbers always match what the app shows
        for the same days. You can create a report as soon as all days of the period are stored and Google has finalized them. A comparison
        is shown only if all days of the earlier period are stored. People you share a report with, by link, PDF or email, see only the
        property’s notes marked “Show in reports you share.” Your other notes stay private.
      </p>
      <p>
        <Sold otherwise="Reports are weekly or monthly. They">
          Every plan includes a monthly summary on screen. {plansWith(({ reporting }) => reporting !== 'basic')} add weekly reports, and all
          their reports
        </Sold>{' '}
        also show the pages and keywords with the biggest gains and losses, keyword opportunities, and the alerts that were open during the
        period and how they ended. “Download PDF” creates a PDF in A4 or US Letter; your newest {reportFilesKept} PDFs, up to 1 GB, are kept
        for 90 days. You can create up to {reportsMadeADay} reports a day; scheduled reports don’t count toward the limit.
      </p>
      <p>
        You can limit a report to a <a href="#explore">segment</a>. It then shows the same numbers as Explore with those filters, and only
        alerts from rules limited to that segment; its title names the segment. Notes still cover the whole property. You can’t use a
        segment that filters by country, device or search appearance, because Google doesn’t break pages and keywords down by them, or one
        that filters by a metric.
      </p>
      <h3>Scheduled emails</h3>
      <p>
        A schedule sets what to report on, how often, and who gets it:{' '}
        <Sold otherwise={`up to ${mostRecipients.toLocaleString('en-US')} recipients`}>
          up to {plans.pro.reportRecipients} recipients on Pro, {plans.agency.reportRecipients.toLocaleString('en-US')} on Agency
        </Sold>
        . The PDF is sent at your digest time, as soon as Google has finalized the last day, usually two to three days after the week or
        month ends. If Google is late, the report goes out five days after the period ends with the data available, and says what’s missing.
        “Send now” sends it immediately. If the mail server rejects an email, Ranklark retries for a day.
      </p>
      <p>
        Every recipient other than you has to opt in once. A new address gets an email with a link that’s valid for 7 days, and no reports
        until the link is used. Every report email has an unsubscribe link, which stops all reports from your account to that recipient. An
        account can send up to {reportMailsADay.toLocaleString('en-US')} report emails a day. Missed reports
        <Sold> (for example, after a plan lapsed)</Sold> aren’t sent later.
      </p>
      <h3 id="brand">Branding and clients</h3>
      <p>
        <Sold otherwise="Reports">On {plansWith(({ reporting }) => reporting === 'white-label')}, reports</Sold> carry your name, color and
        logo (PNG, JPEG or WebP, up to {logoLimits.bytes / 1024 / 1024} MB) on web pages, PDFs and emails, with no Ranklark branding. Emails
        show your sender name, and replies go to your address; the sending address and the links still belong to this installation. A client
        is a group of properties with a combined report and its own schedules and shared links.
      </p>
      <h3>Shared links</h3>
      <p>
        <Sold otherwise="“Share link”">On {plansWith(({ reporting }) => reporting === 'white-label')}, “Share link”</Sold> creates a link
        that lets anyone view that one report without an account. It expires after {shareDays.slice(0, -1).join(', ')} or {shareDays.at(-1)}{' '}
        days, or immediately when you revoke it. You can see how often it was opened.
      </p>
    </>
  ),
}

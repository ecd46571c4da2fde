import { screens } from '../../contract/screens.ts'
import { isHourly } from '../../core/alerting/hours/hourly.ts'
import { ruleOf } from '../../core/alerting/options.ts'
import { templates } from '../../core/alerting/templates.ts'
import { usualWeeks } from '../../core/analytics/same-hours.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { plansWith } from './copy.ts'

export const figures: Chapter = {
  id: 'figures',
  title: 'What the metrics mean',
  content: (
    <>
      <ul>
        <li>
          <strong>Clicks</strong>: how many times people clicked through to your site from Google’s results.
        </li>
        <li>
          <strong>Impressions</strong>: how many times people saw one of your results.
        </li>
        <li>
          <strong>CTR</strong> (click-through rate): clicks divided by impressions. Over several days, it’s total clicks divided by total
          impressions, not the average of the daily rates.
        </li>
        <li>
          <strong>Position</strong>: the average position of your highest result; 1 is the top. Charts put position 1 at the top, so a
          falling line means a worse position.
        </li>
      </ul>
      <h3 id="differences">Why the numbers differ from Search Console</h3>
      <ul>
        <li>
          <strong>Anonymized queries.</strong> Google doesn’t reveal queries that only a few people searched for. They count toward the
          totals for a property or page but never appear in keyword lists, so keywords add up to less than the total. When a list covers
          only part of the total, the screen says how much.
        </li>
        <li>
          <strong>Property vs. page.</strong> If two of your pages appear in the same results, the property gets one impression and each
          page gets one. So pages can add up to more than the property total, and both are correct.
        </li>
        <li>
          <strong>Average position.</strong> It’s weighted by impressions. Your average can get worse just because you start to rank for
          more searches, far down the results, even though clicks haven’t dropped.
        </li>
        <li>
          <strong>Freshness.</strong> Search Console may already show today’s first hours. Google revises each day’s data for two to three
          days before it’s final. Until then, Ranklark shows it as a dotted, preliminary line and alerts only on{' '}
          <a href="#today">hourly data</a>
          <Sold>, if your plan includes it</Sold>. The header shows the last complete day.
        </li>
        <li>
          <strong>Pacific time.</strong> Google’s days run on Pacific time. In Central Europe, a Google day starts at 8 or 9 a.m.
        </li>
        <li>
          <strong>Longer lists.</strong> Search Console shows 1,000 rows. Ranklark fetches the top rows by clicks, up to Google’s limit of
          50,000 a day. If a list hits that limit, Ranklark shows how many days are affected.
        </li>
      </ul>
    </>
  ),
}

const readyMade = templates.filter(({ condition }) => isHourly(ruleOf('', condition))).map(({ name }) => `“${name}”`)

export const today: Chapter = {
  id: 'today',
  title: 'Today so far, and hourly alerts',
  content: (
    <>
      <p>
        <Sold otherwise="Ranklark">On {plansWith(({ hourly }) => hourly)}, Ranklark</Sold> checks Google every hour for each site’s hourly
        web search clicks and impressions, which Google publishes with a delay of a few hours. “Today so far” on the{' '}
        <a href={screens.dashboard}>dashboard</a> compares the complete hours with the same hours on the same weekday in up to {usualWeeks}{' '}
        previous weeks. These numbers are marked as preliminary, because Google revises them until the day is final, two or three days
        later. Reports and all other numbers use final days only. Google provides hourly data for about the last ten days, so the comparison
        gets better every week.
      </p>
      <h3>Which rules use hourly data</h3>
      <p>
        “Unusual clicks,” which every property starts with, and rules for clicks or impressions that monitor the <em>whole site</em> and
        compare it with recent weeks. Templates that qualify: {readyMade.join(', ')}. The default rules with a threshold monitor pages and
        keywords, which Google doesn’t report by the hour. If you’ve chosen “Instant alerts” under{' '}
        <a href={screens.alertSettings}>Alert Settings</a>, you’re notified immediately; otherwise the alert comes with your digest.
        Webhooks are always sent immediately. An hourly alert opens when:
      </p>
      <ul>
        <li>
          <strong>The change reaches your threshold</strong> compared with what’s expected by that hour: the level of recent weeks, adjusted
          for the weekday and last year’s seasonality, times the share of a day’s total reached by that hour in up to {usualWeeks} previous
          weeks. On public holidays, there are no hourly alerts.
        </li>
        <li>
          <strong>It’s more extreme than on the same weekday in any of those weeks</strong>, and too big to be explained by chance or the
          site’s normal swings.
        </li>
        <li>
          <strong>There’s enough data</strong>: at least four hours of today’s data, one previous week of hourly data, four weeks of final
          data, and a usual level of about 60 clicks or 300 impressions by that hour. Smaller counts never trigger an alert.
        </li>
      </ul>
      <h3>Preliminary, confirmed, withdrawn</h3>
      <p>
        An hourly alert is marked <em>preliminary</em> and shows the last hour it includes. When the day is final, the alert’s timeline
        shows the final numbers and the outcome: <em>confirmed</em>, if at least half of the change is still there, or <em>withdrawn</em>,
        which closes the alert and notifies you if Positive alerts are on. If daily data shows the same change, it stays one alert, and you
        aren’t notified twice.
      </p>
    </>
  ),
}

export const explore: Chapter = {
  id: 'explore',
  title: 'Explore',
  content: (
    <>
      <p>
        <strong>Explore</strong> shows every metric that Ranklark stores for a property. Choose a period, a comparison and a search type
        (web, image, video, news, Discover or Google News), then group the rows by keyword, page, folder, country, device, search appearance
        or date. Click a row to drill down: a page shows its keywords, and a keyword shows its pages.
      </p>
      <ul>
        <li>
          <strong>Filters</strong> narrow the rows by keyword, page, brand, country, device, search appearance or any metric. Text filters
          can match part of the text, all of it, its beginning, or a regular expression in RE2 syntax, as in Search Console.
        </li>
        <li>
          <strong>Segments</strong> are saved sets of filters, such as for one section of your site. You can also apply them to the
          dashboard, SEO Insights, Page Analytics, Keyword Opportunities, alert rules and reports. A segment can’t be deleted while a rule
          or a scheduled report uses it.
        </li>
        <li>
          <strong>Views</strong> save the whole setup, including the period and the property. The URL contains it too, so you can share a
          link with anyone who has access to the property.
        </li>
      </ul>
      <p>
        Google doesn’t reveal rare queries, so rows by keyword add up to less than the property’s total. The line above the table says how
        much is missing.
      </p>
    </>
  ),
}

export const opportunities: Chapter = {
  id: 'opportunity-score',
  title: 'Keyword opportunities',
  content: (
    <>
      <p>
        A keyword’s opportunity score estimates how many more clicks a week it would get at position 3: a score of 20 means about 20 more
        clicks a week. It’s based on the keyword’s weekly impressions and the difference between the CTR at position 3 and at its current
        position. 20 or more is <strong>High</strong>, 10 to 20 is <strong>Medium</strong>, and below 10 is <strong>Low</strong>. Keywords
        at position 3 or better score 0 and aren’t listed.
      </p>
      <p>
        CTR by position differs from site to site, so the curve is fitted to your property’s own data from the last 90 days, excluding brand
        searches. Where your data is thin, published benchmarks fill the gaps. The score isn’t a promise: it estimates the extra clicks, not
        how hard it is to get there. For the full calculation with examples, see <code>docs/opportunity-score.md</code>, included with
        Ranklark.
      </p>
    </>
  ),
}

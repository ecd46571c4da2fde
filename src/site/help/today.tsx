import { screens } from '../../contract/screens.ts'
import { isHourly } from '../../core/alerting/hours/hourly.ts'
import { usualWeeks } from '../../core/analytics/same-hours.ts'
import { ruleOf } from '../../core/alerting/options.ts'
import { templates } from '../../core/alerting/templates.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { plansWith } from './copy.ts'

const readyMade = templates.filter(({ condition }) => isHourly(ruleOf('', condition))).map(({ name }) => `“${name}”`)

export const today: Chapter = {
  id: 'today',
  title: 'Today so far, and instant alerts',
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
        Rules for clicks or impressions that monitor the <em>whole site</em> and compare it with recent weeks. Templates that qualify:{' '}
        {readyMade.join(', ')}. The default rules with a threshold monitor pages and keywords, which Google doesn’t report by the hour, so
        set up one of these under <a href={screens.alertSettings}>Alert Settings</a>. If you’ve chosen “Instant alerts” there, you’re
        notified immediately; otherwise the alert comes with your digest. Webhooks are always sent immediately. An hourly alert opens when:
      </p>
      <ul>
        <li>
          <strong>The change reaches your threshold</strong> compared with the same hours in previous weeks.
        </li>
        <li>
          <strong>It’s more extreme than in any of those weeks</strong>, and too big to be explained by chance or the site’s normal swings.
        </li>
        <li>
          <strong>There’s enough data</strong>: at least four hours of the day, one previous week with the same hours, and a usual level of
          about 60 clicks or 300 impressions by that hour. Smaller counts never trigger an alert.
        </li>
      </ul>
      <h3>Preliminary, confirmed, withdrawn</h3>
      <p>
        An hourly alert is marked <em>preliminary</em> and shows the last hour it includes. When the day is final, the alert’s timeline
        shows the final numbers and the outcome: <em>confirmed</em>, with its severity based on the whole day, or <em>withdrawn</em>, which
        closes the alert and sends a recovery notification. If the daily data shows the same change, it stays one alert, and you aren’t
        notified twice.
      </p>
    </>
  ),
}

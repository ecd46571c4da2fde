import { defaultConditions } from '../../core/alerting/defaults.ts'
import { templates } from '../../core/alerting/templates.ts'
import type { Chapter } from '../parts/Article.tsx'

export const alerts: Chapter = {
  id: 'alerts',
  title: 'How alerts work',
  content: (
    <>
      <p>
        A rule says what to watch (the whole site, the top pages, the top queries, new content, or pages and queries you name), which
        figure, from which change on, and compared with what. Rules are judged whenever Google has completed new days; “Evaluate Alerts” on
        the dashboard does it now.
      </p>
      <h3>When a change becomes an alert</h3>
      <ul>
        <li>
          <strong>It reaches your threshold</strong>, in per cent or, for positions, in positions.
        </li>
        <li>
          <strong>It stands out</strong> from the twelve weeks before. A page whose clicks go up and down by a third every week must lose
          more than that. While less history is known, the threshold alone decides.
        </li>
        <li>
          <strong>There is enough to go by.</strong> Rules on impressions, CTR and position leave out whatever has fewer impressions than
          the minimum you set (
          {defaultConditions
            .filter((condition) => condition.minimumImpressions !== null)
            .map((condition) => `${condition.minimumImpressions} for “${condition.title}”`)
            .join(', ')}
          , unless you change it).
        </li>
        <li>
          <strong>Both periods are complete.</strong> Days that Google is still counting never count, so there is no alarm because a day is
          half over. <a href="#today">Instant alerts</a> from the hours of a day go by rules of their own.
        </li>
      </ul>
      <h3>Compared with what</h3>
      <p>
        The last seven complete days with the seven before them; or the last 30 days with the 30 before; or with the same period a year
        earlier, which leaves the season out.
      </p>
      <h3>Severity</h3>
      <ul>
        <li>
          <strong>Critical</strong>: a loss of more than 30 %. For positions: a drop of at least twice your threshold.
        </li>
        <li>
          <strong>Warning</strong>: a loss of 15 to 30 %. For positions: any other drop that reaches the threshold.
        </li>
        <li>
          <strong>Info</strong>: a smaller loss that still reaches your threshold.
        </li>
        <li>
          <strong>Positive</strong>: an improvement.
        </li>
      </ul>
      <h3>Kinds that are ready to be set up</h3>
      <ul>
        {templates.map(({ id, name, description }) => (
          <li key={id}>
            <strong>{name}</strong>: {description}
          </li>
        ))}
      </ul>
      <h3>Its life</h3>
      <p>
        An alert is <em>New</em> until somebody opens its report, then <em>Viewed</em>. <em>Acknowledge</em> what you are dealing with, and{' '}
        <em>snooze</em> what can wait. When the figure is back where it usually is, the alert recovers by itself. All of them stay in the
        Alert History.
      </p>
    </>
  ),
}

import { screens } from '../../contract/screens.ts'
import { fourConditions } from '../../core/alerting/defaults.ts'
import { templates } from '../../core/alerting/templates.ts'
import { channelAvailability } from '../../core/billing/entitlements.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const alerts: Chapter = {
  id: 'alerts',
  title: 'How alerts work',
  content: (
    <>
      <p>
        A rule says what to monitor (the whole site, top pages, top keywords, new content, or the pages and keywords you choose), which
        metric, how big a change triggers an alert, and which period to compare with. Ranklark checks your rules whenever Google finalizes a
        new day. To check them now, use “Evaluate Alerts” on the dashboard.
      </p>
      <h3>When a change becomes an alert</h3>
      <ul>
        <li>
          <strong>It reaches your threshold</strong>: a percentage or, for position, a number of positions.
        </li>
        <li>
          <strong>It stands out</strong>, if <em>Only when unusual</em> is on. If a page’s clicks swing by a third every week, only a bigger
          drop counts. The more pages or keywords a rule monitors, the more extreme a change has to be, because it’s more likely that one of
          them moves by chance. Even with this setting off, a change has to be larger than chance can explain.
        </li>
        <li>
          <strong>There’s enough data.</strong> Rules for impressions, CTR and position ignore anything with fewer impressions than your
          minimum (
          {fourConditions
            .filter((condition) => condition.minimumImpressions !== null)
            .map((condition) => `${condition.minimumImpressions} for “${condition.title}”`)
            .join(', ')}{' '}
          by default).
        </li>
        <li>
          <strong>Both periods are complete.</strong> Ranklark ignores days that Google hasn’t finalized, so partial data never causes a
          false alarm. <a href="#today">Hourly alerts</a> use hourly data and work differently.
        </li>
      </ul>
      <h3>Unusual clicks</h3>
      <p>
        Every property has a rule without a threshold. It learns what to expect from your site’s recent weeks, weekday patterns, last year’s
        seasonality and public holidays in the country most of your clicks come from, and alerts you when clicks are unusually low or high.
        Its sensitivity setting determines how many false alarms to expect: about one a year by default.
      </p>
      <p>
        Similar rules can monitor impressions, all pages or all keywords; check whether your top keywords’ CTR is normal for their position;
        and catch position drops that cost you clicks. With thousands of pages, chance alone would trigger alerts every day, so a page has
        to stand out from its own history and from your other pages, usually on two consecutive days.
      </p>
      <h3>Rules for a segment</h3>
      <p>
        You can limit a rule to a <a href="#explore">segment</a>, such as your blog or your brand keywords. It then looks only at the
        segment’s pages or keywords; a whole-site rule adds them up. If the segment filters pages by keyword, only clicks and impressions
        from those keywords count. Rules can’t use a segment that filters by a metric, and rules for pages or keywords can’t use one that
        filters by country, device or search appearance. The rule that learns what’s usual for the whole site can’t use segments.
      </p>
      <h3>Image, video, news, Discover and Google News</h3>
      <p>
        If Google has data for more than web search, you can choose a rule’s search type, with or without a segment. The rule then uses the
        same figures as <a href="#explore">Explore</a> for that type. Discover and Google News have no keywords or positions, so monitor
        pages or the whole site, by clicks, impressions or CTR. “Unusual clicks” works for every search type and learns what’s usual for
        each of them separately. If Google shows your site in bursts, as Discover often does, the rule learns not to alert you about each
        one. <a href="#today">Hourly alerts</a> cover web search only. Alerts for different search types are always separate.
      </p>
      <h3>One alert per cause</h3>
      <p>
        When a page loses clicks, its impressions, CTR and keywords usually fall with it. You get one alert that lists all related changes.
        An alert about a site-wide change also covers the affected pages and keywords.
      </p>
      <h3>Comparison periods</h3>
      <p>
        Rules with a threshold look at the last 7 complete days. A rule for clicks can compare them with the previous 7 days, the weekly
        average of the previous 30 days, or the same period last year, which rules out seasonal effects. Rules for other metrics compare
        them with the previous 7 days.
      </p>
      <h3>Severity</h3>
      <ul>
        <li>
          <strong>Critical</strong>: a loss of more than 30%. For position, a drop of at least twice your threshold.
        </li>
        <li>
          <strong>Warning</strong>: a loss of 15% to 30%. For position, any other drop that reaches the threshold.
        </li>
        <li>
          <strong>Info</strong>: a smaller loss that still reaches your threshold.
        </li>
        <li>
          <strong>Positive</strong>: an improvement.
        </li>
      </ul>
      <h3>Alert templates</h3>
      <ul>
        {templates.map(({ id, name, description }) => (
          <li key={id}>
            <strong>{name}</strong>: {description}
          </li>
        ))}
      </ul>
      <h3>Alert statuses</h3>
      <p>
        An alert is <em>New</em> until you open its report, then <em>Viewed</em>. <em>Acknowledge</em> the alerts you’re working on, and{' '}
        <em>snooze</em> the ones that can wait. When the metric returns to its usual level, the alert recovers automatically. Every alert
        stays in Alert History.
      </p>
    </>
  ),
}

export const notifications: Chapter = {
  id: 'delivery',
  title: 'Notifications',
  content: (
    <>
      <p>
        Choose your channels and the severities you want under <a href={screens.alertSettings}>Alert Settings</a>. Each channel has a button
        to send a test.
      </p>
      <ul>
        <li>
          <strong>Email</strong>
          <Sold>, on every plan</Sold>: sent to your account email or another address. The recipient must confirm the address first; until
          then, alerts are held for up to 30 days. Every email has an unsubscribe link.
        </li>
        <li>
          <strong>Slack</strong>: create an incoming webhook in Slack and paste its URL.
          <Sold> {channelAvailability('slack')}.</Sold>
        </li>
        <li>
          <strong>SMS</strong>, for critical alerts only. Enter the code we text you to confirm your number.{' '}
          <Sold otherwise="Available">{channelAvailability('sms')},</Sold> if your administrator has set up an SMS provider.
        </li>
        <li>
          <strong>Webhooks</strong> for your own apps: signed JSON, sent immediately. See <a href="#api">API, assistants and webhooks</a>.
          <Sold> {channelAvailability('webhook')}.</Sold>
        </li>
      </ul>
      <h3>Timing</h3>
      <p>
        Get a weekly digest, a daily digest or instant alerts<Sold>, depending on your plan</Sold>. Digests come at the hour you choose in
        your time zone; instant alerts are held until quiet hours end. The weekly digest comes on the weekday you choose; if you change the
        day, the next one arrives five to twelve days after the last. Alerts that are found together come in one message, most severe first,
        even if they cover several properties. Two things never wait for a digest: connection problems and webhooks.
      </p>
      <p>
        If a message can’t be delivered, Ranklark retries for a day. If that fails, the alert’s report says so. If a channel stops accepting
        messages, a banner says why.
      </p>
    </>
  ),
}

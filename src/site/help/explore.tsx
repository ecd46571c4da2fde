import type { Chapter } from '../parts/Article.tsx'

export const explore: Chapter = {
  id: 'explore',
  title: 'Explore',
  content: (
    <>
      <p>
        <strong>Explore</strong> shows every metric that Ranklark stores for a property. Choose a period, a comparison and a search type
        (web, image, video, news, Discover or Google News), then group the rows by query, page, folder, country, device, search appearance
        or date. Click a row to drill down: a page shows its queries, a query its pages.
      </p>
      <ul>
        <li>
          <strong>Filters</strong> narrow the rows by query, page, brand, country, device, search appearance or any metric. Text filters can
          match part of the text, all of it, its beginning, or a regular expression in RE2 syntax, as in Search Console.
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
        Google doesn’t reveal rare queries, so rows by query add up to less than the property’s total. The line above the table says how
        much is missing.
      </p>
    </>
  ),
}

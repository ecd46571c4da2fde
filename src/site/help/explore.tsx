import type { Chapter } from '../parts/Article.tsx'

export const explore: Chapter = {
  id: 'explore',
  title: 'Explore',
  content: (
    <>
      <p>
        <strong>Explore</strong> shows every figure that Ranklark stores for a property. Choose the days, what to compare them with and a
        search type (web, image, video, news or Discover), then group the rows by query, page, folder, country, device or date. Click a row
        to look into it: a page opens its queries, a query its pages.
      </p>
      <ul>
        <li>
          <strong>Filters</strong> narrow the rows by query, page, brand, country, device or any figure. Text can be contained, exact, at
          the start, or match a regular expression in RE2 syntax, as in Search Console.
        </li>
        <li>
          <strong>Segments</strong> are filters you keep under a name, such as one part of your site.
        </li>
        <li>
          <strong>Views</strong> keep everything you chose, days and property included. The address does, too, so you can send a link to
          anyone who has access to the property.
        </li>
      </ul>
      <p>
        Google doesn’t name rare queries, so rows by query add up to less than the property’s total. The line above the table says how much
        is missing.
      </p>
    </>
  ),
}

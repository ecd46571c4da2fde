const domainPrefix = 'sc-domain:'

/** The domain of a domain property, which Search Console names `sc-domain:example.com`; null for a URL prefix or an imported name. */
export const domainOf = (property: string): string | null =>
  property.startsWith(domainPrefix) ? property.slice(domainPrefix.length) : null

/** A property as people call it: `example.com` for `sc-domain:example.com`. */
export const propertyName = (property: string): string => domainOf(property) ?? property

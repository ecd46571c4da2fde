/** A page without its site, path plus query, as tables and charts call it; what is no address stays as it is. */
export function pagePath(page: string): string {
  if (!URL.canParse(page)) return page
  const { pathname, search } = new URL(page)
  return readable(pathname + search)
}

/** Addresses write other scripts than Latin in codes. */
function readable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

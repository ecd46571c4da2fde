/** A page without its site, path plus query, as tables and charts show it; anything that isn't a URL stays as it is. */
export function pagePath(page: string): string {
  if (!URL.canParse(page)) return page
  const { pathname, search } = new URL(page)
  return readable(pathname + search)
}

/** URLs percent-encode scripts other than Latin. */
function readable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

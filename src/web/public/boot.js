// Runs before anything is painted and before any module. A file of its own, because the content
// security policy forbids inline scripts.

// The chosen theme on the root element; shell/theme.ts takes over from here.
;(function () {
  var theme = 'light'
  try {
    theme = localStorage.getItem('ranklark-ui-theme') || 'light'
  } catch {
    // Storage can be forbidden; the default theme does then.
  }
  var dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.add(dark ? 'dark' : 'light')
})()

// zod compiles schemas with `new Function` where it may, and finds that out by trying: the policy
// forbids it and would report every page load.
// oxlint-disable-next-line no-underscore-dangle -- zod's own name for it
globalThis.__zod_globalConfig = { jitless: true }

// The bank's challenge inside its frame: two buttons, and a message to the page once one is pressed.
const parentOrigin = new URLSearchParams(location.search).get('parent') ?? ''
const clientSecret = location.hash.slice(1)
const template = document.querySelector('template')
const question = template.content.querySelector('main')
const buttons = [...question.querySelectorAll('button')]

async function end(outcome) {
  for (const button of buttons) button.disabled = true
  const response = await fetch('/v3/challenge', { method: 'POST', body: new URLSearchParams({ client_secret: clientSecret, outcome }) })
  if (response.ok) parent.postMessage({ type: 'challenge-done' }, parentOrigin)
  else question.querySelector('#problem').textContent = 'This question can no longer be answered.'
}

for (const button of buttons) button.addEventListener('click', () => void end(button.value))
addEventListener('message', (event) => {
  if (event.source === parent && event.origin === parentOrigin && event.data?.type === 'challenge-fail') void end('fail')
})
template.replaceWith(question)
buttons[0].focus()

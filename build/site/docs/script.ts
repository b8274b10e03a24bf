/**
 * What JavaScript adds to the reference: the origin of the service in samples, copies of them, and answers
 * below "Try it".
 */
import './docs.css';

const maxCharacters = 100_000;

for (const block of document.querySelectorAll<HTMLElement>('pre[data-copied]')) {
  const code = block.textContent.replaceAll('https://awards.example', location.origin);
  block.textContent = code;
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' });
  button.ariaLabel = `Copy: ${block.dataset.copied}`;
  const say = (text: string) => () => (button.textContent = text);
  button.addEventListener('click', () =>
    navigator.clipboard.writeText(code).then(say('Copied'), say('Select the text')),
  );
  if ('clipboard' in navigator) block.prepend(button);
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-path]')) {
  const status = document.createElement('output');
  const answer = Object.assign(document.createElement('pre'), { hidden: true, tabIndex: 0 });
  form.append(status, answer);
  for (const input of form.querySelectorAll('input')) input.disabled = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const address = addressOf(form);
    status.textContent = `GET ${address}`;
    const response = await fetch(address).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    answer.hidden = text === undefined;
    status.textContent += ` ${text === undefined ? 'No answer. Try again later.' : response!.status}`;
    answer.textContent = readable(text ?? '').slice(0, maxCharacters);
  });
}

/** The id goes into the path, and an empty field is left out. */
function addressOf(form: HTMLFormElement): string {
  let path = form.dataset.path!;
  const query = new URLSearchParams();
  for (const { name, value } of form.querySelectorAll('input'))
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.append(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

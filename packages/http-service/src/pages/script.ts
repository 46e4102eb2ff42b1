/**
 * The one script of our pages, allowed by its hash; no part of it comes from data. It only adds to what a page says without it: a
 * button beside each text to copy (where the browser offers its clipboard), and a run's progress as it is told. Once the run has
 * ended the page is fetched anew, because it then says more.
 */
export const SCRIPT = `
for (const text of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + text.dataset.copy);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = 'Copied';
  });
  text.closest('.copy').append(button);
}
const live = document.querySelector('[data-events]');
if (live) {
  const part = (name) => live.querySelector('[data-part=' + name + ']');
  const source = new EventSource(live.dataset.events);
  const on = (kind, show) => source.addEventListener(kind, (event) => show(JSON.parse(event.data).data));
  on('progress', ({ progress, step }) => {
    if (typeof progress === 'number') {
      part('bar').value = progress;
      part('share').textContent = Math.round(progress * 100) + ' %';
    }
    if (typeof step === 'string') part('step').textContent = step.replaceAll('_', ' ');
  });
  on('log', ({ message }) => { if (typeof message === 'string') part('line').textContent = message; });
  on('state', ({ state }) => {
    part('state').textContent = state;
    if (state !== 'success' && state !== 'failed') return;
    source.close();
    location.reload();
  });
  source.addEventListener('open', () => { part('note').textContent = 'Live: this page follows the run by itself.'; });
  source.addEventListener('error', () => {
    if (source.readyState === 2) part('note').textContent = 'Live updates are not available; reload the page for the present state.';
  });
}
`;

import type { ItemMap, PlacesMap } from '@headwater/http-service';
import { element } from './elements.ts';
import { say, useTexts } from './texts.ts';
import { readLink } from './view-link.ts';

/** Styles of the map, added as a style sheet object, so that the content security policy needs no exception. */
const STYLE = `
.mapplace .button{margin-top:.9rem;border:0;font:inherit;font-weight:650;cursor:pointer}.mapplace p{margin:.4rem 0 0}
.layer:has(.map-view){grid-template-columns:minmax(0,1.6fr) minmax(0,1fr)}
.map-view{position:relative;height:min(34rem,75vh);background:var(--paper);border:1px solid var(--line);border-radius:8px;overflow:hidden}
.map-view:focus-visible,.map-panel :focus-visible,.map-class:focus-visible{outline:3px solid #d98a00;outline-offset:2px}
.map-view:focus-visible{outline-offset:-3px}
.map-view:focus-visible::after{content:"+";position:absolute;inset:0;display:grid;place-items:center;pointer-events:none;font:300 2rem/1 system-ui;color:#000;text-shadow:0 0 3px #fff,0 0 3px #fff}
.ol-unsupported{display:none}.ol-control{position:absolute}
.ol-zoom{top:.6rem;left:.6rem;display:grid;gap:.25rem}
.ol-zoom button{width:2.25rem;height:2.25rem;font:600 1.3rem/1 system-ui;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:8px;cursor:pointer}
.ol-scale-line{position:absolute;left:.6rem;bottom:.6rem;background:var(--card);border-radius:6px;padding:.15rem .4rem}
.ol-scale-line-inner{border:2px solid var(--ink);border-top:0;color:var(--ink);font-size:.8rem;text-align:center}
.map-line{position:absolute;top:0;bottom:0;width:3px;margin-left:-1.5px;background:#fff;box-shadow:0 0 0 1px #000;pointer-events:none}
.map-year{position:absolute;top:.6rem;background:var(--card);color:var(--ink);border:1px solid var(--line);border-radius:6px;padding:.05rem .5rem;font-size:.88rem;font-weight:650;pointer-events:none}
.map-year.left{left:3.4rem}.map-year.right{right:.6rem}
.layer [hidden]{display:none!important}
.layer:has(.map-view) .map,.layer:has(.map-view) figcaption{display:none}
.map-panel{display:grid;gap:.8rem;margin-top:.9rem}.map-panel p{margin:0}.map-panel p:empty{position:absolute}
.map-controls{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));gap:.6rem 1.2rem}
.map-panel label{display:grid;gap:.2rem;align-content:start;font-size:.93rem}.map-panel label>span{font-weight:650}
.map-panel input[type=range]{width:100%;min-height:1.75rem;margin:0;accent-color:var(--get)}
.map-panel select{font:inherit;min-height:2.4rem;max-width:100%;width:100%;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.3rem .5rem}
.where .mapplace:has(.map-view){margin-top:1rem}
.map-switch{display:flex!important;align-items:center;gap:.5rem;min-height:2.4rem}.map-switch input{width:1.15rem;height:1.15rem;flex:none;accent-color:var(--get)}.map-switch>span{font-weight:400!important}
.map-credit{position:absolute;right:0;bottom:0;max-width:75%;margin:0!important;padding:.05rem .5rem;background:var(--card);color:var(--ink);font-size:.8rem;border-radius:6px 0 0 0;z-index:1}
.map-point ul{margin:.3rem 0 0;padding-left:1.2rem}
.map-point{border-top:1px solid var(--line);padding-top:.7rem}.map-point p{margin:0}.map-point .name{font-weight:650;margin-bottom:.4rem}.map-point .facts{margin:0 0 .6rem}
.map-point th{font-weight:400;color:var(--ink)}.map-point .scroll{max-height:16rem;overflow:auto}
.map-breaks{list-style:none;margin:.5rem 0;padding:0}.map-zones label{max-width:34rem}
.map-class{cursor:pointer;display:inline}.map-class input{width:1.15rem;height:1.15rem;margin:0 .5rem 0 0;vertical-align:-.2rem;accent-color:var(--get)}
.chart th:has(.map-class){padding-left:3.2rem;text-indent:-3.2rem}
@media (max-width:48rem){.layer:has(.map-view){grid-template-columns:minmax(0,1fr)}.layer:has(.map-view) figure{padding:.7rem}.map-view{height:min(24rem,65vh)}}
`;

function adoptStyle(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function prepare(place: HTMLElement, shown: ItemMap | PlacesMap): void {
  useTexts(shown.texts);
  adoptStyle();
  const button = element('button', { type: 'button', class: 'button' }, say('mapOpen'));
  const message = element('p', { role: 'status', class: 'soft' });
  const open = async (isAsked: boolean): Promise<void> => {
    button.disabled = true;
    message.textContent = say('mapLoading');
    try {
      if ('outlines' in shown) await (await import('./open-places.ts')).openPlaces(place, shown);
      else await (await import('./open-map.ts')).openMap(place, shown);
      if (isAsked) place.querySelector<HTMLElement>('.map-view')?.focus();
    } catch (error) {
      button.disabled = false;
      message.textContent = say('mapNotOpened', { error: String(error) });
      place.replaceChildren(button, message);
    }
  };
  button.addEventListener('click', () => void open(true));
  place.append(button, message);
  if (readLink(location.hash) !== undefined) void open(false);
}

const place = document.querySelector<HTMLElement>('[data-map],[data-places]');
const data = place?.dataset['map'] ?? place?.dataset['places'];
if (place && data !== undefined) prepare(place, JSON.parse(data) as ItemMap | PlacesMap);

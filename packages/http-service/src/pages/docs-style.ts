/** Style of the reference page beside the common one: everything wraps, nothing scrolls sideways. */
export const DOCS_STYLE = `
ul.toc a{text-decoration:underline}
pre.wraps{white-space:pre-wrap;overflow-wrap:anywhere}.wraps [data-status]{word-break:break-all}.try{margin:.8rem 0 .3rem}
.fields{margin:0}.fields>div{display:grid;grid-template-columns:minmax(12rem,1fr) 3fr;gap:.1rem 1rem;padding:.45rem 0;border-bottom:1px solid var(--line)}
.fields dt,.fields dd{margin:0;overflow-wrap:anywhere}.fields .note{color:var(--soft);font-size:.85rem}
.starting,.warning{color:var(--post);font-weight:650}
@media (max-width:40rem){.fields>div{grid-template-columns:1fr}details .inside{padding:0 .7rem .7rem}}
`;

/** Styles of the report: light and dark, narrow screens, a colour per surface. */
export const reportStyle = `
:root{color-scheme:light dark;--ink:#1f2329;--soft:#646a73;--line:#dee0e3;--paper:#fff;--ground:#f5f6f7;--blue:#1456c0;--good:#237b4b;--bad:#c9302c;--bare:#646a73;--web:#1456c0;--chromium:#7b3fc4;--terminal:#1d7a5f;--server:#a1560c}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa0a8;--line:#3b3f45;--paper:#1f2226;--ground:#17191c;--blue:#7fb1ff;--good:#6fce98;--bad:#ff8a80;--bare:#9aa0a8;--web:#7fb1ff;--chromium:#c7a2ff;--terminal:#74d3b5;--server:#f0b36b}}
*{box-sizing:border-box}
body{font:15px/1.55 system-ui,"Noto Sans CJK SC",sans-serif;color:var(--ink);background:var(--ground);margin:0 auto;max-width:1240px;padding:2rem 1.25rem 4rem}
h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.25rem;margin:2.5rem 0 .75rem;scroll-margin-top:1rem}h3{font-size:1rem;margin:0 0 .6rem}
a{color:var(--blue)}small{color:var(--soft)}code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.verdict{font-weight:600;margin:.25rem 0 1.25rem}.ok{color:var(--good)}.bad{color:var(--bad)}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:10px;background:var(--paper)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .8rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}tr:last-child td{border-bottom:0}th{color:var(--soft);font-weight:500;font-size:.85rem}
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--paper)}
td.short{color:var(--soft)}td.bad{color:var(--bad);font-weight:600}
meter{width:5rem;height:.6rem;vertical-align:middle;margin-right:.5rem}
.failure{border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:10px;background:var(--paper);padding:1rem 1.1rem;margin:1rem 0}
.beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem;align-items:start}
pre{margin:0;font:13px/1.6 ui-monospace,SFMono-Regular,Menlo,"Noto Sans Mono CJK SC",monospace;white-space:pre-wrap;overflow-wrap:anywhere}
pre.screen{white-space:pre;overflow-x:auto;background:#16181b;color:#e8eaed;border-radius:8px;padding:.8rem 1rem}
.beside img{max-width:100%;border:1px solid var(--line);border-radius:8px;display:block}
.beside figcaption{color:var(--soft);font-size:.85rem;margin-top:.35rem}figure{margin:0}
ol.steps{margin:.4rem 0;padding:0 0 0 2.6rem}ol.steps li{padding:.12rem 0}ol.steps small{overflow-wrap:anywhere}li.fails{color:var(--bad);font-weight:600}
.kind{display:inline-block;min-width:3.6rem;font-size:.78rem;color:var(--soft)}
.failure p{margin:.2rem 0}table.differs{margin:.6rem 0}table.differs td,table.differs th{text-align:left;white-space:normal;overflow-wrap:anywhere;position:static;vertical-align:top;padding:.3rem .5rem}
pre.again{background:var(--ground);border-radius:8px;padding:.6rem .8rem;max-height:8rem;overflow:auto}
details{margin:.9rem 0}summary{cursor:pointer;color:var(--blue);padding:.2rem 0}
.state{border:1px solid var(--line);border-radius:10px;background:var(--paper);padding:.6rem .8rem;margin:.5rem 0}
.state .state{background:var(--ground)}.state .state .state{background:var(--paper)}
.inside{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:0 .75rem;align-items:start}
.state:target{outline:2px solid var(--blue)}
.state ul{list-style:none;margin:.35rem 0 0;padding:0}.state li{border-left:4px solid var(--line);padding:.1rem 0 .1rem .55rem;margin:.2rem 0;font-size:.9rem}
.state li.taken{border-color:var(--good)}.state li.never{border-color:var(--bad)}
.by{display:inline-block;font-size:.72rem;padding:0 .35rem;border-radius:6px;border:1px solid currentColor;margin-left:.25rem;line-height:1.4}
.by.bare{color:var(--bare)}.by.web{color:var(--web)}.by.chromium{color:var(--chromium)}.by.terminal{color:var(--terminal)}.by.server{color:var(--server)}
nav{display:flex;flex-wrap:wrap;gap:.2rem .9rem;margin:1rem 0}
@media(max-width:600px){body{padding:1.25rem .75rem 3rem}th,td{padding:.4rem .55rem}}
`.trim()

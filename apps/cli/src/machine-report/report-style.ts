/** The style of the report's pages: light and dark by the reader's setting, one column on a phone, and for paper. */
export const reportStyle = `
:root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--ink:#1c2127;--soft:#5f6b7c;--line:#d3d8de;--accent:#215db0;--tint:#e5eefa;--ok:#1c6e42;--okay:#dcf3e6;--bad:#ac2f33;--bads:#fbe6e7;--time:#935610;--times:#fdf0dc}
@media (prefers-color-scheme:dark){:root{--back:#1c2127;--card:#252a31;--ink:#f6f7f9;--soft:#abb3bf;--line:#404854;--accent:#8abbff;--tint:#1f3a5f;--ok:#72ca9b;--okay:#1b3d2e;--bad:#fa999c;--bads:#4a2326;--time:#fbb360;--times:#46351c}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
html[data-lang=zh] .en,html[data-lang=en] .zh{display:none}
a{color:var(--accent)}
header{position:sticky;top:0;z-index:2;background:var(--card);border-bottom:1px solid var(--line);padding:10px max(16px,calc(50vw - 560px))}
header .row{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
h1{font-size:20px;margin:0;flex:1 1 auto}
main{max-width:1120px;margin:0 auto;padding:16px}
h2{font-size:17px;margin:28px 0 8px}
p{margin:6px 0}
small,.soft{color:var(--soft)}
input,select,button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:4px 10px;min-height:34px;max-width:100%}
button{cursor:pointer}
button:hover,select:hover{border-color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
input[type=checkbox]{min-height:0;width:18px;height:18px;accent-color:var(--accent);margin:3px 0 0}
input[type=search]{flex:1 1 180px;min-width:0}
.tools{display:flex;flex-wrap:wrap;gap:8px;margin-top:8px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 16px;margin:10px 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:7px 10px;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-weight:500;white-space:nowrap}
th.number,td.number{text-align:right;font-variant-numeric:tabular-nums}
.chart{display:block;font-size:13px;max-width:none}
.chart .zh,.chart .en{fill:var(--ink)}
.chart rect{fill:var(--card);stroke:var(--line);stroke-width:1.3}
.chart .open>rect{fill:var(--back)}
.chart .region>rect{stroke-dasharray:5 4}
.chart .initial>rect{stroke-width:2.4;stroke:var(--soft)}
.chart .final>rect{stroke-dasharray:2 3;stroke:var(--soft)}
.chart .line{fill:none;stroke:var(--soft);stroke-width:1.3;opacity:.75}
.chart .hit{fill:none;stroke:transparent;stroke-width:12}
.chart marker path{fill:var(--soft)}
.chart [role=button]{cursor:pointer}
.chart [role=button]:hover>rect,.chart .picked>rect{stroke:var(--accent);fill:var(--tint)}
.chart [role=button]:hover>.line,.chart .picked>.line{stroke:var(--accent);stroke-width:2.6}
.chart .bad>rect{stroke:var(--bad)}
.path{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:8px 0}
.path>summary{display:flex;gap:10px;align-items:baseline;padding:9px 14px;cursor:pointer;list-style:none}
.path>summary::-webkit-details-marker{display:none}
.path>summary .title{flex:1 1 auto;min-width:0}
.path[open]>summary{border-bottom:1px solid var(--line)}
.path>div{padding:8px 16px 14px}
.badge{flex:none;min-width:1.7em;text-align:center;border-radius:99px;padding:0 7px;border:1px solid var(--line);color:var(--soft);font-size:13px}
[data-result=ok] .badge{background:var(--okay);color:var(--ok);border-color:transparent}
[data-result=bad] .badge{background:var(--bads);color:var(--bad);border-color:transparent}
[data-result=skip] .badge{background:var(--times);color:var(--time);border-color:transparent}
ol.steps{list-style:none;margin:8px 0;padding:0}
ol.steps>li{display:grid;grid-template-columns:20px 28px 1fr;gap:8px;padding:8px 0;border-top:1px solid var(--line)}
ol.steps>li.done .do{color:var(--soft)}
.no{color:var(--soft);text-align:right;font-variant-numeric:tabular-nums}
.do{font-weight:600}
.answer .do,.time .do{font-weight:400}
.answer .do::before{content:"⇄ ";color:var(--soft)}
.time .do::before{content:"⏱ ";color:var(--time)}
.prepare{background:var(--times);border-radius:6px;padding:3px 9px;margin:2px 0 6px}
.hurry{color:var(--time)}
.see{margin:3px 0 0;padding:0;list-style:none;color:var(--ink)}
.see li{padding-left:1.5em;text-indent:-1.5em}
.see .plus::before{content:"✓ ";color:var(--ok);font-weight:700}
.see .minus{color:var(--soft)}
.see .minus::before{content:"✗ "}
.now{color:var(--soft)}
details.all{margin-top:3px;color:var(--soft);font-size:14px}
details.all summary{cursor:pointer}
.result{display:flex;flex-wrap:wrap;gap:8px;margin-top:10px;padding-top:10px;border-top:1px solid var(--line)}
.result input{flex:1 1 200px}
.failure{border-left:4px solid var(--bad)}
.failure h3{margin:0 0 4px;font-size:16px}
.failure li.fails{background:var(--bads);border-radius:6px;padding-left:6px}
.failure img{max-width:100%;border:1px solid var(--line);border-radius:6px}
pre{overflow:auto;background:var(--back);padding:8px 12px;border-radius:6px;font-size:13px;white-space:pre-wrap}
.chip{background:var(--tint);border-radius:99px;padding:3px 6px 3px 12px;display:inline-flex;gap:6px;align-items:center}
.chip button{min-height:24px;padding:0 8px;border-radius:99px}
[hidden]{display:none!important}
.ok{color:var(--ok)}.bad{color:var(--bad)}
@media (max-width:640px){body{font-size:15px}main{padding:10px}header{padding:8px 10px;position:static}.path>summary{padding:9px 10px}.path>div{padding:6px 10px 12px}ol.steps>li{grid-template-columns:20px 20px 1fr;gap:6px}th,td{padding:6px}.card{padding:10px}}
@media print{:root{--back:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#999;--tint:#fff;--okay:#fff;--bads:#fff;--times:#fff}body{font-size:11pt}header{position:static;border:0;padding:0}.tools,.result select,.result input,details.all,.chip{display:none}.path{border:0;border-top:1px solid #999;border-radius:0;break-inside:avoid-page}ol.steps>li{break-inside:avoid}.result::after{content:"结果 Result: ______   签名 Name: ____________   日期 Date: ____________"}a{color:inherit;text-decoration:none}.chart{max-width:100%;height:auto}}
`

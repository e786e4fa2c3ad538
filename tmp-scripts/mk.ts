import { checkMarkup } from '../src/batch/markup.ts'
import { refusedMarkup, WIDE } from '../src/dataset/html.ts'
for (const html of ['<p><em>a</p></em>','<p>a<p>b</p>','<em>a','</em>a','<p>a</p></p>','<p><img src="/a.png" alt=""></img></p>','<p>&euro;<p>a</p></p>','<p>x<ul><li>a</li></ul></p>','<p><a href="/a" href="/b">x</a></p>','<table><tr><td>a</td></tr></table>','<li>a</li><dt>b</dt>','<pre>\na</pre>','a</p>'])
  console.log(html, JSON.stringify(checkMarkup(html, refusedMarkup(WIDE), WIDE).map((m) => [m.message, html.slice(m.within.start, m.within.end) + '@' + m.within.start])))

import pytest

from docqn.document import SECTION
from tests.parsers.pages import paragraphs, parsed, sections, texts

PROSE = "This is a sentence of the article that is long enough to be taken for what it is, prose of its own. "


# Elements that nobody is shown


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>if (1 < 2) document.write('<p>no</p>')</script>",
        "<script><!--\nno\n//--></script>",
        "<style>p { content: '<p>no</p>' }</style>",
        "<noscript><p>no</p></noscript>",
        "<template><p>no</p></template>",
        "<svg><title>no</title><text>no</text></svg>",
        "<svg/>",
        "<iframe src=x>no</iframe>",
        "<audio>no</audio><video><p>no</video><canvas>no</canvas>",
        "<select><option>no<option>no</select><datalist><option>no</datalist>",
        "<textarea>no <p> no</textarea>",
        "<button>no</button><input type=submit value=no>",
        "<!-- <p>no</p> -->",
        "<!-- no > no -->",
        "<p hidden>no</p>",
        "<div hidden><p>no<div>no</div>no</div>",
        "<div hidden=hidden><ul><li>no<li>no</ul></div>",
        "<div style='color: red; display:none'>no<div>no</div></div>",
        "<span style='visibility: hidden'>no</span>",
        "<div aria-hidden=true>no</div>",
        "<ul hidden><li>no</ul>",
        "<table hidden><tr><td>no</table>",
        "<table class=navbox><tr><td><table><tr><td>no</table>no</table>",
        "<section hidden><h2>no</h2><p>no</section>",
        "<h2 hidden>no</h2>",
        "<span class='sr-only'>no</span>",
        "<a class='skip-link' href='#x'>no</a>",
        "<a class=headerlink href='#x'>no</a>",
        "<a href='#x'>¶</a>",
        "<a href='#n1'>[1]</a>",
        "<sup><a href='#n1'>1</a></sup>",
        "<sup>[2]</sup>",
        "<sup class=reference><a href='#n'>[note 3]</a></sup>",
        "<a role=doc-noteref href='#n'>no</a>",
        "<a epub:type=noteref href=n.xhtml>no</a>",
        "<a class=data-footnote-backref href='#r'>no</a>",
        "<div class=navbar-collapse hidden>no</div>",
        "<sup>[<i>no source</i>]</sup>",
        "<span class=mw-editsection>[<a href=e>no</a>]</span>",
        "<span class=editsection>[<a href=e>no</a>]</span>",
    ],
)
def test_what_is_hidden_is_left_out_and_nothing_else(hidden: str) -> None:
    page = f"<h1>T</h1><p>a</p>{hidden}<h2>B</h2><p>c{hidden} d</p>{hidden}e"
    document = parsed(page)
    assert texts(document, SECTION) == ["B"]
    assert " ".join(texts(document)).split() == ["a", "c", "d", "e"]


@pytest.mark.parametrize(
    "shown",
    [
        "<p hidden=until-found>yes</p>",
        "<p aria-hidden=false>yes</p>",
        "<div class=hidden-gems>yes</div>",
        "<p style='display:block'>yes</p>",
        "<p class=noscript>yes</p>",
        "<p data-hidden>yes</p>",
        "<sup>yes</sup>",
        "<a href='#chapter'>yes</a>",
        "<p title='<script>'>yes</p>",
        "<p>y<!-->e<!---->s</p>",
        "<math><mi>yes</mi></math>",
    ],
)
def test_what_only_looks_hidden_stays(shown: str) -> None:
    assert paragraphs(f"<p>a</p>{shown}<p>b") == ["a", "yes", "b"]


@pytest.mark.parametrize(
    "panel",
    [
        "class='accordion-collapse collapse' style='display: none;'",
        "class=collapse hidden",
        "role=tabpanel hidden",
        "class=tab-pane aria-hidden=true",
        "class='faq-accordion-body' style='display:none'",
    ],
)
def test_what_a_click_opens_is_content(panel: str) -> None:
    page = f"<h1>T</h1><h2><button>Can I send it back?</button></h2><div {panel}>Yes, you can.</div>"
    assert sections(page) == [(1, "Can I send it back?")]
    assert paragraphs(page) == ["Yes, you can."]


def test_a_button_beside_the_words_of_a_heading_is_none_of_them() -> None:
    page = "<h1>T</h1><h2>Struct <b>Vec</b> <button id=copy>Copy path</button></h2><h2>1. <button>Why?</button></h2>"
    assert sections(page) == [(1, "Struct Vec"), (1, "1. Why?")]


@pytest.mark.parametrize("name", ["p", "li", "dd", "td"])
def test_a_hidden_element_without_an_end_tag_ends_where_browsers_end_it(name: str) -> None:
    around = {"li": "<ul>{}</ul>", "dd": "<dl>{}</dl>", "td": "<table><tr>{}</table>"}.get(name, "{}")
    page = around.format(f"<{name} hidden>no<{name}>yes") + "<p>end"
    assert paragraphs(page) == ["yes", "end"]


def test_a_page_that_a_script_was_to_show_is_shown() -> None:
    page = f"<html style='visibility:hidden'><body hidden><p>{PROSE}</p>"
    assert paragraphs(page) == [PROSE.strip()]
    page = f"<body><p>Loading …<div style='display:none'><h1>T</h1><h2>A</h2><p>{PROSE * 3}</div>"
    assert sections(page) == [(1, "A")]


# What stands around the article on every page of a site


FURNITURE = [
    "<nav><ul><li><a href=a>no</a><li><a href=b>no</a></ul></nav>",
    "<nav><h2>no</h2><p>no</nav>",
    "<div role=navigation>no</div>",
    "<div role=search><form>no <input></form></div>",
    "<div class='navbar'><a href=a>no</a></div>",
    "<ul id=breadcrumbs><li><a href=/>no</a></ul>",
    "<div class='pagination'>no <a href=2>no</a></div>",
    "<div class=share-buttons><a href=x>no</a></div>",
    "<div class=advertisement><p>no</p></div>",
    "<div class='ad-slot' id=ad-slot-3><p>no</p></div>",
    "<div class='cookie-banner'><h2>no</h2><p>no</p><button>ok</button></div>",
    "<div id=cookie_notice>no <a href='#' class=btn>ok</a></div>",
    "<section class='gdpr-consent'>no <a href='#'>ok</a></section>",
    "<div id=onetrust-banner-sdk><p>no</p><button>ok</button></div>",
    "<footer><h2>no</h2><p>no</p></footer>",
    "<div id=footer>no</div>",
    "<div role=contentinfo>no</div>",
    "<div class=newsletter-signup><h3>no</h3><form>no</form></div>",
    "<div class=toc><h2>no</h2><ul><li><a href='#a'>no</a><li><a href='#b'>no</a><li><a href='#c'>no</a></ul></div>",
    "<div class=related><h3>no</h3><a href=a>no no</a> <a href=b>no no</a> <a href=c>no no</a></div>",
]


@pytest.mark.parametrize("furniture", FURNITURE)
@pytest.mark.parametrize(
    "article", ["{}", "<main>{}</main>", "<main><article>{}</article></main>", "<div id=content>{}</div>"]
)
def test_furniture_goes_and_every_section_of_the_article_stays(furniture: str, article: str) -> None:
    content = f"<h1>T</h1><p>{PROSE}</p><h2>A</h2><p>{PROSE}</p><h2>B</h2><p>{PROSE}</p><h3>C</h3><p>{PROSE}</p>"
    document = parsed(furniture + article.format(content) + furniture)
    assert document.title == "T"
    assert texts(document, SECTION) == ["A", "B", "C"]
    assert texts(document) == [PROSE.strip()] * 4


@pytest.mark.parametrize(
    "margin",
    [
        "<aside><h2>no</h2><p>no</aside>",
        "<header><p>no</p></header>",
        "<div class=sidebar>no</div>",
        "<div role=complementary>no</div>",
        "<div role=banner>no</div>",
        "<div class='site-header'>no</div>",
        "<div>no</div>",
    ],
)
def test_the_margin_goes_where_the_content_is_marked(margin: str) -> None:
    page = f"{margin}<main><h1>T</h1><h2>A</h2><p>{PROSE * 3}</main>{margin}"
    assert sections(page) == [(1, "A")]
    assert paragraphs(page) == [" ".join((PROSE * 3).split())]


def test_an_aside_of_the_article_stays() -> None:
    page = f"<main><h1>T</h1><h2>A</h2><p>{PROSE}<aside><h3>B</h3><p>{PROSE}</aside><h2>C</h2><p>{PROSE}</main>"
    assert sections(page) == [(1, "A"), (2, "B"), (1, "C")]
    page = f"<h1>T</h1><h2>A</h2><p>{PROSE}<aside><h3>B</h3><p>{PROSE}</aside>"  # nothing says where the content is
    assert sections(page) == [(1, "A"), (2, "B")]


@pytest.mark.parametrize("outside", ["<h2>B</h2><p>{}", "<section><h2>B</h2><div><p>{}</div></section>"])
@pytest.mark.parametrize("mark", ["main", "article", "div role=main", "div id=bodyContent"])
def test_a_section_outside_what_is_marked_as_content_is_not_lost(mark: str, outside: str) -> None:
    page = f"<h1>T</h1><{mark}><h2>A</h2><p>{PROSE * 9}</{mark.split()[0]}>{outside.format(PROSE)}"
    assert sections(page) == [(1, "A"), (1, "B")]


def test_an_article_within_a_page_of_short_lines_is_not_all_of_it() -> None:
    lines = "".join(f"<li>{number} spoons of tea" for number in range(9))
    page = f"<h1>T</h1><h2>A</h2><ul>{lines}</ul><article><h2>B</h2><p>{PROSE}</article><h2>C</h2><ul>{lines}</ul>"
    assert sections(page) == [(1, "A"), (1, "B"), (1, "C")]


def test_several_articles_are_all_kept() -> None:
    page = "<title>T</title>" + "".join(f"<article><h2>{name}</h2><p>{PROSE}</article>" for name in "ABC")
    assert sections(page) == [(1, "A"), (1, "B"), (1, "C")]


def test_a_page_that_is_nothing_but_furniture_is_kept_whole() -> None:
    assert sections(f"<nav><h1>T</h1><h2>A</h2><p>{PROSE}<h2>B</h2><p>{PROSE}</nav>") == [(1, "A"), (1, "B")]
    assert paragraphs("<footer>a<p>b</footer>") == ["a", "b"]


def test_a_list_of_links_under_a_heading_stays() -> None:
    links = "".join(f"<li><a href={word}>{word}</a>" for word in ("one", "two", "three", "four"))
    page = f"<h1>T</h1><p>{PROSE * 4}<h2>See also</h2><ul>{links}</ul>"
    assert paragraphs(page)[1:] == ["one", "two", "three", "four"]


def test_the_class_of_a_section_that_is_about_cookies_or_menus_does_no_harm() -> None:
    page = f"<h1>T</h1><section id=cookies><h2>Cookies</h2><p>{PROSE}</section><section id=menu><h2>Menu</h2><p>{PROSE}"
    assert sections(page) == [(1, "Cookies"), (1, "Menu")]
    page = f"<h1>T</h1><div class=cookie-notice><h2>Cookie notice</h2><p>{PROSE}</div><p>{PROSE}"  # nothing to click
    assert sections(page) == [(1, "Cookie notice")]


def test_the_footer_of_a_quotation_says_who_said_it() -> None:
    page = "<p>a<blockquote><p>b<footer>— Li</footer></blockquote><footer>no</footer>"
    assert paragraphs(page + f"<p>{PROSE}")[:3] == ["a", "b", "— Li"]
    assert "no" not in paragraphs(page + f"<p>{PROSE}")


def test_the_title_above_the_content_is_kept() -> None:
    page = f"<header><h1>T</h1></header><main><h2>A</h2><p>{PROSE * 3}</main>"
    assert parsed(page).title == "T"
    assert parsed(page).line[0] == 1


# Pages as they are made


NEWS = f"""<!doctype html><html lang=en><head><title>Bridge to close - The Courier</title></head><body>
<a href="#main" class="sr-only">Skip to content</a>
<div class="consent-modal" role="dialog"><h2>Your privacy</h2><p>We store information.</p><button>Accept</button></div>
<header class="page-header"><a href=/>Subscribe</a>
<nav><ul><li><a href=n>News</a><li><a href=s>Sport</a></ul></nav></header>
<main id=main><article><header><h1>Bridge to close</h1><p class=standfirst>Buses will be diverted.</p>
<div class="byline">By Ida Renn | <time>4 March</time></div>
<div class="share-buttons"><a href=f>Share</a></div></header>
<figure><img src=a alt="The bridge"><figcaption>The bridge, raised.</figcaption></figure>
<p>{PROSE}</p>
<aside class="related-articles"><h3>Read more</h3><ul><li><a href=1>Ferries are late</a><li><a href=2>Tax rises</a>
<li><a href=3>Ten walks</a></ul></aside>
<h2>What is broken</h2><p>{PROSE}</p><div class="advertisement"><p>Advertisement</p></div>
<blockquote><p>I only wanted my torch.</p><footer>Lena Holt</footer></blockquote>
<h2>What it costs</h2><p>{PROSE}</p></article>
<aside class="sidebar"><h2>Most read</h2><ol><li><a href=a>Man bites dog</a><li><a href=b>Dog bites back</a>
<li><a href=c>Cat looks on</a></ol></aside></main>
<footer class="site-footer"><h2>About us</h2><p>© 2024</p></footer></body></html>"""


def test_a_news_page() -> None:
    document = parsed(NEWS)
    assert document.title == "Bridge to close"
    assert texts(document, SECTION) == ["What is broken", "What it costs"]
    assert texts(document) == [
        "Buses will be diverted.", "By Ida Renn | 4 March", "The bridge, raised.", PROSE.strip(), PROSE.strip(),
        "I only wanted my torch.", "Lena Holt", PROSE.strip(),
    ]  # fmt: skip


DOCS = """<!DOCTYPE html><html lang="en"><head><title>Configuration &#8212; kettle 2.1 documentation</title></head>
<body><div class="related" role="navigation"><h3>Navigation</h3><ul><li><a href="i.html">index</a></li></ul></div>
<div class="document"><div class="body" role="main"><section id="configuration">
<h1>Configuration<a class="headerlink" href="#configuration" title="Link to this heading">¶</a></h1>
<p>Kettle reads <code><span class="pre">kettle.toml</span></code>.</p>
<nav class="contents local" id="contents"><ul><li><p><a href="#options" id="id1">Options</a></p></li></ul></nav>
<section id="options">
<h2><a class="toc-backref" href="#id1" role="doc-backlink">Options</a><a class="headerlink" href="#options">¶</a></h2>
<div class="admonition note"><p class="admonition-title">Note</p><p>Mind the steam.</p></div>
<table class="docutils"><thead><tr><th class="head"><p>Option</p></th><th class="head"><p>Default</p></th></tr></thead>
<tbody><tr><td><p><code>heat</code></p></td><td><p>95</p></td></tr></tbody></table>
<div class="highlight"><table><tr><td class="linenos"><div class="linenodiv"><pre>1
2</pre></div></td><td class="code"><pre><span></span><span class="kn">import</span> <span class="nn">kettle</span>
<span class="n">kettle</span><span class="o">.</span><span class="n">boil</span><span class="p">()</span>
</pre></td></tr></table></div></section>
<section id="api"><h2>API<a class="headerlink" href="#api">¶</a></h2>
<dl class="py function">
<dt class="sig"><span>boil</span><span>(</span><em>heat</em><span>)</span><a class="headerlink" href="#b">¶</a></dt>
<dd><p>Boil the water.</p>
<dl class="field-list"><dt>Returns<span class="colon">:</span></dt><dd><p>minutes</p></dd></dl></dd></dl>
</section></section></div></div>
<div class="sphinxsidebar" role="navigation"><h3>Table of Contents</h3><h4>Previous topic</h4><p>Installation</p></div>
<div class="footer" role="contentinfo">&#169; 2024. Created using <a href="https://www.sphinx-doc.org/">Sphinx</a>.</div>
</body></html>"""


def test_a_page_of_documentation() -> None:
    document = parsed(DOCS)
    assert document.title == "Configuration"
    assert texts(document, SECTION) == ["Options", "API"]
    assert texts(document) == [
        "Kettle reads kettle.toml.", "Note", "Mind the steam.", "Option: heat | Default: 95",
        "import kettle\nkettle.boil()", "boil(heat): Boil the water.", "Returns: minutes",
    ]  # fmt: skip

"""What a person does on the page of the inspector, in a headless browser.

inspector.py SCENARIO ADDRESS [ARGUMENT…]: prints findings as JSON; fails if the page has problems.
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from headless import Browser  # noqa: E402

ready = "document.querySelectorAll('#list .row[aria-selected]').length > 0 && !document.querySelector('#count').textContent.includes('reading')"

settled = ("document.querySelector('#file').textContent !== '' && (!document.querySelector('#message').hidden || "
           f"{ready} || ['This track has no cues.'].includes(document.querySelector('#empty')?.textContent))")


def fill(browser, field, value):
    """Replaces the content of a field."""
    browser.value(f"document.querySelector('#{field}').focus(), document.querySelector('#{field}').select()")
    browser.type(value)


def save(browser, form, folder):
    """Saves the track in a format, on the page of the export."""
    browser.value(f"document.querySelector('.formats input[value={form}]').click()")
    fill(browser, "folder", folder)
    browser.value("[...document.querySelectorAll('#panel button')].find(button => button.textContent === 'Save').click()")


def shift(browser, address, wrong, right, folder):
    """Finds a wrong line, lets it begin at the right time, saves the track: by the keyboard alone."""
    browser.open(address)
    browser.wait(ready)
    browser.key("/", 191, "/")
    browser.type(wrong)
    browser.wait("document.querySelector('#list mark') !== null && /^1 match/.test(document.querySelector('#count').textContent)")
    browser.key("Enter", 13, "\r")
    browser.key("ArrowUp", 38)
    browser.wait("!document.querySelector('#begin').disabled")
    before = browser.value("document.querySelector('#begin').value")
    fill(browser, "begin", right)
    browser.key("Enter", 13, "\r")
    browser.wait("Number(document.querySelector('#shift').value) !== 0")
    browser.value("document.querySelector('#export-open').click()")
    lost = browser.wait("[...document.querySelectorAll('.formats small')].every(note => !note.textContent.startsWith('Checking')) "
                        "&& [...document.querySelectorAll('.formats label')].map(label => label.innerText)")
    save(browser, "srt", folder)
    said = browser.wait("document.querySelector('#panel [role=status]').innerText")
    # The address follows a moment after a change.
    address = browser.wait("location.hash.includes('shift=') && location.hash")
    return {"before": before, "shift": browser.value("document.querySelector('#shift').value"), "losses": lost, "said": said,
            "address": address}


def look(browser, address):
    """Opens an input, every view, and every track; returns what is shown."""
    browser.open(address)
    browser.wait(settled, 120)
    tracks = browser.value("document.querySelectorAll('#lanes .name').length")
    found = []
    for index in range(tracks):
        browser.value(f"document.querySelectorAll('#lanes .name')[{index}].click()")
        browser.wait(settled, 120)
        # The rows of the track before are shown until those of this one have come.
        browser.pause(0.5)
        browser.wait(settled, 120)
        until = time.monotonic() + 20
        while broken := browser.value("[...document.querySelectorAll('#list img')].filter(image => image.naturalWidth === 0).length"):
            if time.monotonic() > until:
                break
            browser.pause(0.1)
        rows = browser.value("[...document.querySelectorAll('#list .row')].map(row => row.querySelector('.text')?.innerText ?? '')")
        images = browser.value("document.querySelectorAll('#list img').length")
        found.append({"rows": rows, "images": images, "broken": broken})
    for view in ["problems", "export", "streams", "picture"]:
        browser.value(f"document.querySelector('#tab-{view}').click()")
        browser.pause(0.3)
    picture = browser.wait("document.querySelector('.screen img:not([hidden])') !== null || document.querySelector('.screen p:not([hidden])').innerText !== 'Loading…'") \
        if tracks else None
    return {"title": browser.value("document.title"), "tracks": found, "file": browser.value("document.querySelector('#file').textContent"),
            "picture": picture and browser.value("document.querySelector('.screen img')?.naturalWidth"),
            "message": browser.value("document.querySelector('#message').textContent"),
            "elements": browser.value("document.querySelectorAll('script, iframe, object, embed').length")}


def recognize(browser, address, wrong, right, folder, form):
    """Recognizes a bitmap track, corrects a text by the keyboard, saves the track."""
    browser.open(address)
    browser.wait(ready)
    before = browser.value("document.querySelectorAll('#list .recognized').length")
    browser.key("2", 50, "2")
    browser.wait("document.querySelector('#languages') !== null")
    browser.value("document.querySelector('#languages').focus(), document.querySelector('#languages').select()")
    browser.type("en")
    browser.key("Enter", 13, "\r")
    done = "/remain to review|recognized with confidence/.test(document.querySelector('#panel [role=status]').innerText)"
    browser.wait(done, 120)
    state = browser.value("document.querySelector('#panel [role=status]').innerText")
    # The worst one is shown first, if there is one.
    if "remain" in state:
        browser.wait("/Doubtful/.test(document.querySelector('.editor .hint').innerText)")
    worst = browser.value("document.querySelector('#corrected').value")
    filters = {}
    for name in ["doubtful", "losses", ""]:
        browser.value(f"document.querySelector('#filter').value = '{name}', document.querySelector('#filter').dispatchEvent(new Event('change'))")
        browser.pause(0.6)
        filters[name] = browser.value("document.querySelector('#count').innerText")
    browser.key("/", 191, "/")
    browser.type(wrong)
    browser.wait("document.querySelector('#list mark') !== null && /^1 match/.test(document.querySelector('#count').textContent)")
    browser.key("Enter", 13, "\r")
    browser.key("Home", 36)
    browser.wait(f"document.querySelector('#corrected').value.includes({json.dumps(wrong)})")
    seen = browser.value("[...document.querySelectorAll('.sources img')].filter(image => image.naturalWidth > 0).length")
    browser.key("e", 69, "e")
    browser.wait("document.activeElement.id === 'corrected'")
    browser.value("document.querySelector('#corrected').select()")
    browser.type(right)
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", windowsVirtualKeyCode=13, modifiers=2)
    browser.wait("/[1-9][0-9]* are corrected/.test(document.querySelector('#panel [role=status]').innerText)")
    asks = "(() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; })()"
    unsaved = browser.value(asks)
    browser.value("document.querySelector('#export-open').click()")
    browser.wait(f"document.querySelector('.formats input[value={form}]') !== null"
                 " && [...document.querySelectorAll('.formats small')].every(note => !note.textContent.startsWith('Checking'))")
    formats = browser.value("[...document.querySelectorAll('.formats input')].map(input => input.value)")
    save(browser, form, folder)
    said = browser.wait("document.querySelector('#panel .done, #panel > [role=status] .bad')?.innerText")
    browser.wait(f"!{asks}")
    return {"before": str(before), "state": state, "worst": worst, "filters": filters, "images": seen, "unsaved": unsaved, "formats": formats,
            "said": said, "elements": browser.value("document.querySelectorAll('script, iframe, object, embed').length")}


def correct(browser, address, width, text, folder):
    """Corrects a text and times in the list by the keyboard, takes a change back, saves the track; looks at the layout in a width."""
    browser.size(int(width), 900)
    browser.open(address)
    browser.wait(ready)
    is_open = "!document.querySelector('#editor').hidden"
    changed = "document.querySelector('#corrected-count').textContent"
    row = "document.querySelector('#list [aria-selected=true] .text')?.innerText"
    found = {"changed": [browser.value(changed)]}
    browser.value("document.querySelector('#list').focus()")
    browser.key("Home", 36)
    before = browser.wait(row)
    # Escape forgets what was entered.
    browser.key("F2", 113)
    browser.wait(f"{is_open} && document.activeElement.id === 'edit-text'")
    found["names"] = browser.value("[...document.querySelectorAll('#editor input, #editor textarea, #editor button')]"
                                   ".map(field => field.labels?.[0]?.innerText ?? field.innerText)")
    box = browser.value("""(() => {
        const [page, editor] = [document.documentElement, document.querySelector('#editor')].map(one => one.getBoundingClientRect());
        const parts = [...document.querySelectorAll('#editor *')].map(one => one.getBoundingClientRect()).filter(one => one.width);
        return [document.documentElement.scrollWidth <= innerWidth, editor.left >= 0 && editor.right <= innerWidth,
            parts.every(part => part.left >= editor.left && part.right <= editor.right + 1)];
    })()""")
    found["fits"] = box
    browser.type("forgotten")
    browser.key("Escape", 27)
    browser.wait(f"!({is_open}) && document.activeElement.id === 'list'")
    found["kept"] = browser.value(row) == before
    # A text.
    browser.key("Enter", 13)
    browser.wait(is_open)
    fill(browser, "edit-text", text)
    browser.key("Enter", 13, control=True)
    browser.wait(f"!({is_open}) && {changed}.startsWith('1 cue')")
    found["changed"].append(browser.value(changed))
    browser.wait(f"{row} !== {json.dumps(before)} && document.querySelector('#list [aria-selected=true] .badge') !== null")
    found["row"] = browser.value(row)
    # Times: one that is none is explained.
    browser.key("ArrowDown", 40)
    browser.pause(0.3)
    browser.key("Enter", 13)
    browser.wait(is_open)
    fill(browser, "edit-end", "soon")
    browser.key("Enter", 13, control=True)
    found["refused"] = [browser.wait("document.querySelector('#edit-failure').innerText")]
    fill(browser, "edit-end", "0.001")
    browser.key("Enter", 13, control=True)
    found["refused"].append(browser.wait("document.querySelector('#edit-failure').innerText.includes('before') && document.querySelector('#edit-failure').innerText"))
    fill(browser, "edit-start", "0:59:00.250")
    fill(browser, "edit-end", "0:59:02")
    browser.key("Enter", 13, control=True)
    browser.wait(f"!({is_open}) && {changed}.startsWith('2 cues')")
    found["moved"] = browser.wait("document.querySelector('#list [aria-selected=true] .when')?.innerText.includes('0:59:00.250')"
                                  " && document.querySelector('#list [aria-selected=true] .when').innerText")
    asks = "(() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; })()"
    found["unsaved"] = browser.value(asks)
    # A third change, which is taken back.
    browser.key("Home", 36)
    browser.pause(0.3)
    browser.key("F2", 113)
    browser.wait(is_open)
    fill(browser, "edit-text", "wrong")
    browser.key("Enter", 13, control=True)
    browser.wait(f"!({is_open}) && {row}?.endsWith('wrong')")
    browser.key("z", 90, control=True)
    browser.wait(f"{row} === {json.dumps(found['row'])}")
    found["changed"].append(browser.value(changed))
    browser.value("document.querySelector('#corrected-show').click()")
    browser.wait("/^2 matches/.test(document.querySelector('#count').textContent)")
    browser.value("document.querySelector('#corrected-show').click()")
    browser.value("document.querySelector('#export-open').click()")
    found["note"] = browser.wait("document.querySelector('#correction-note')?.innerText")
    browser.wait("[...document.querySelectorAll('.formats small')].every(note => !note.textContent.startsWith('Checking'))")
    save(browser, "srt", folder)
    found["said"] = browser.wait("document.querySelector('#panel .done, #panel > [role=status] .bad')?.innerText")
    browser.wait(f"!{asks}")
    found["changed"].append(browser.wait(f"{changed}.includes(', exported') && {changed}"))
    found["elements"] = browser.value("document.querySelectorAll('script, iframe, object, embed').length")
    return found


def retime(browser, address, width, folder):
    """Enters shifts in several ways, takes them back, corrects a cue between them, saves the track; screenshots if a folder is named."""
    browser.size(int(width), 900)
    browser.open(address)
    browser.wait(ready)
    def click(selector):
        browser.value(f"document.querySelector('{selector}').scrollIntoView({{ block: 'center' }})")
        x, y = browser.value(f"(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()")
        for kind in ["mousePressed", "mouseReleased"]:
            browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def looks(name):
        if "INSPECTOR_PICTURES" in os.environ:
            for scheme in ["light", "dark"]:
                browser.size(int(width), 900, scheme)
                browser.pause(0.4)
                browser.screenshot(f"{os.environ['INSPECTOR_PICTURES']}/{name}-{width}-{scheme}.png")
            browser.size(int(width), 900)

    status = "document.querySelector('#corrected-count').textContent"
    begins = "document.querySelector('#list [aria-selected=true] .when').firstChild.textContent"
    found = {"changed": [browser.value(status)], "typed": [], "begins": [], "complaints": [], "clocks": [], "undone": []}
    browser.value("document.querySelector('#list').focus()")
    browser.key("End", 35)
    browser.wait("document.querySelector('#begin').value === '0:00:10.000'")
    # Each value replaces the one before, because the click selects it.
    for value in ["-0,4", "\u22121.5", "--3", "-0:02.4"]:
        click("#shift")
        browser.type(value)
        browser.pause(0.3)
        found["typed"].append(browser.value("document.querySelector('#shift').value"))
        found["begins"].append(browser.value(begins))
        found["complaints"].append(browser.value(
            "document.querySelector('#shift').getAttribute('aria-invalid') === 'true' ? document.querySelector('#shift-failure').innerText : ''"))
        found["clocks"].append(browser.value("document.querySelector('#clock').textContent"))
        if value == "--3":
            looks("invalid")
        browser.value("document.querySelector('#list').focus({ preventScroll: true })")
    found["changed"].append(browser.value(status))
    found["note"] = browser.wait("document.querySelector('#shift-note').innerText")
    # A search that is ended leaves the cue chosen.
    browser.value("document.querySelector('#search').focus()")
    browser.type("nowhere")
    browser.wait("document.querySelector('#empty button')?.innerText === 'Clear search'")
    looks("nothing")
    browser.value("document.querySelector('#empty button').click()")
    browser.wait("/^3 cues/.test(document.querySelector('#count').textContent)")
    found["row"] = browser.wait("document.querySelector('#list [aria-selected=true] .text')?.innerText")
    fill(browser, "begin", "soon")
    browser.key("Enter", 13, text="\r")
    found["refused"] = [browser.wait("document.querySelector('#begin-failure').innerText")]
    # A correction.
    browser.value("document.querySelector('#list').focus({ preventScroll: true })")
    browser.key("Enter", 13)
    browser.wait("document.activeElement.id === 'edit-text'")
    browser.value("document.activeElement.select()")
    browser.type("end")
    before = browser.value("scrollY")
    browser.key("Enter", 13, control=True)
    browser.wait(f"document.querySelector('#editor').hidden && {status}.startsWith('1 cue')")
    browser.pause(0.5)
    found["scrolled"] = browser.value("scrollY") - before
    found["changed"].append(browser.value(status))
    browser.value("document.querySelector('#cues').scrollIntoView()")
    looks("changed")
    browser.value("document.querySelector('#export-open').click()")
    browser.wait("document.querySelector('#zero-note') !== null && [...document.querySelectorAll('.formats small')].every(note => !note.textContent.startsWith('Checking'))")
    found["losses"] = browser.value("[...document.querySelectorAll('.formats label')].map(label => label.innerText)")
    looks("export")
    save(browser, "srt", folder)
    found["said"] = browser.wait("document.querySelector('#panel .done, #panel > [role=status] .bad')?.innerText")
    browser.wait(f"{status}.endsWith(', exported')")
    found["changed"].append(browser.value(status))
    click("#earlier")
    browser.wait(f"{status}.includes('2.5')")
    found["changed"].append(browser.value(status))
    # Everything is taken back in its order.
    browser.value("document.querySelector('#list').focus({ preventScroll: true })")
    for _ in range(5):
        shown = browser.value(status)
        browser.key("z", 90, control=True)
        browser.wait(f"{status} !== {json.dumps(shown)}")
        browser.pause(0.3)
        found["undone"].append(browser.value(status))
    browser.value("document.querySelector('#help-open').click()")
    found["keys"] = browser.value("document.querySelector('#help').innerText")
    looks("keys")
    return found


def video(browser, address):
    """Plays the file by the browser's own element, with the track as WebVTT."""
    browser.open(address)
    browser.wait(ready)
    offered = browser.value("document.querySelectorAll('.kinds input').length")
    if not offered:
        return {"offered": 0}
    browser.value("document.querySelector('.kinds input[value=browser]').click()")
    browser.wait("document.querySelector('video').readyState >= 1")
    browser.value("document.querySelector('#list').focus()")
    browser.key("ArrowDown", 40)
    # The cue that the browser shows is the one that was chosen.
    text = browser.wait("""(() => {
        const active = [...document.querySelector('video').textTracks].flatMap(track => [...(track.activeCues ?? [])]);
        const row = document.querySelector('#list [aria-selected=true] .text').innerText;
        return active.some(cue => cue.getCueAsHTML().textContent === row) && row;
    })()""")
    size = browser.value("[document.querySelector('video').videoWidth, document.querySelector('video').videoHeight]")
    moved = browser.value("document.querySelector('video').currentTime")
    return {"offered": offered, "text": text, "size": size, "time": moved,
            "row": browser.value("document.querySelector('#list [aria-selected=true] .text').innerText")}


def scroll(browser, address):
    """Jumps through a long list; returns how many rows have elements, and the last one."""
    browser.open(address)
    browser.wait(ready)
    browser.value("document.querySelector('#list').focus()")
    browser.key("End", 35)
    last = browser.wait("[...document.querySelectorAll('#list .row[aria-selected=true] .text')].map(text => text.innerText)[0]")
    # Frames while the list scrolls by itself.
    frames = browser.value("""new Promise(done => {
        const list = document.querySelector('#list'); let count = 0, longest = 0, last = performance.now();
        const step = now => {
            longest = Math.max(longest, now - last); last = now;
            list.scrollTop = list.scrollHeight * ((count * 37) % 100) / 100;
            if (++count < 60) requestAnimationFrame(step); else done([count, Math.round(longest)]);
        };
        requestAnimationFrame(step);
    })""")
    return {"last": last, "rows": browser.value("document.querySelectorAll('#list .row').length"), "frames": frames,
            "total": browser.value("document.querySelector('#count').textContent")}


scenario, address, *arguments = sys.argv[1:]
browser = Browser()
try:
    began = time.monotonic()
    result = {"shift": shift, "look": look, "scroll": scroll, "recognize": recognize, "correct": correct, "retime": retime, "video": video}[scenario](browser, address, *arguments)
    origin = address.split("/", 3)[2]
    result["seconds"] = round(time.monotonic() - began, 1)
    result["problems"] = browser.problems
    result["foreign"] = [url for url in browser.requests
                         if not url.startswith((f"http://{origin}/", f"blob:http://{origin}/", "about:", "data:"))]
    print(json.dumps(result))
finally:
    browser.close()

// The page in a browser, held to figures of its database: node page_test.mjs EXPECTED.json
// tests/app/report_page_test.py makes the page and the figures, and says what they are.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const wanted = JSON.parse(readFileSync(process.argv[2], "utf8"));
const [first, second] = wanted.runs;
const accounts = ["busy", "starved", "blocked", "idle"];
const short = (unit) => unit.replace(/^gpu\./, "").replace(/_/g, " ");
const shown = (share) => `${(share * 100).toFixed(1)} %`;

const browser = await chromium.launch({
  executablePath: wanted.chromium,
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
const tab = await context.newPage();
const requests = [],
  faults = [];
tab.on("request", (request) => requests.push(request.url()));
tab.on("pageerror", (error) => faults.push(String(error)));
tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));

// A table by the name that it has for those who do not see it: titles, and rows of { text, value } by title.
async function table(name) {
  return tab.$eval(`.scroller[aria-label="${name}"] table`, (element) => {
    const titles = [...element.querySelectorAll("thead th")].map((head) => head.textContent);
    return [...element.querySelectorAll("tbody tr:not(.spacer)")].map((row) =>
      [...row.children].map((cell, i) => ({
        title: titles[i],
        text: cell.textContent,
        value: cell.dataset.value === undefined ? null : Number(cell.dataset.value),
      })),
    );
  });
}
const cell = (row, title) => row.find((one) => one.title === title);
async function view(name) {
  await tab.click(`nav a[data-view=${name}]`);
  await tab.waitForSelector(`main[data-ready=${name}]`);
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
function sharesAre(rows, shares) {
  for (const [unit, parts] of Object.entries(shares)) {
    const row = rows.find((one) => cell(one, "unit").text === short(unit));
    assert(row, `${unit} has no row`);
    accounts.forEach((account, i) => assert.equal(cell(row, account).text, shown(parts[i]), `${unit}: ${account}`));
  }
}

const tests = {
  async overview() {
    for (const [name, value] of Object.entries(first.figures)) {
      const text = await tab.getAttribute(`[data-figure=${name}]`, "data-value");
      assert.equal(Number(text), value, name);
    }
    sharesAre(await table("Units by what they cost"), first.shares);
    const ranked = await table("Units by what they cost");
    assert(first.binds.length > 0);
    for (const [unit, share] of first.binds)
      assert.equal(cell(ranked.find((one) => cell(one, "unit").text === short(unit)), "binds").text, shown(share), unit);
    const [headline, largest] = first.causes[0];
    assert.match(await tab.textContent(".verdict"), new RegExp(`^Held up by ${headline} ${(largest * 100).toFixed(0)} %`), "the words of `cutaway explain`");
    const order = ranked.map((row) => cell(row, "binds").value);
    assert.deepEqual(order, order.slice().sort((a, b) => b - a), "what binds most stands first");
    // What-ifs name the run and the frame, and are those of `cutaway explain`.
    const tries = await tab.$$eval(".what-ifs code", (all) => all.map((one) => one.textContent));
    assert(tries.length > 0);
    const shownFrame = await tab.$eval('select[aria-label="Frame"]', (select) => select.value);
    assert.deepEqual(tries.map((command) => /^cutaway explain '.*' --frame (\d+) --try (\S+)$/.exec(command).slice(1)), first.what_ifs.map((one) => [shownFrame, one]));
    // The tree of labels is that of `cutaway explain`.
    const tree = await tab.$$eval(".tree tbody tr", (lines) =>
      lines.map((one) => ({ name: one.querySelector("a").textContent, depth: Number(one.getAttribute("aria-level")) - 1, cells: [...one.children].map((cell) => cell.textContent), values: [...one.children].map((cell) => Number(cell.dataset.value)) })),
    );
    assert.deepEqual(tree.map(({ name, depth, values }) => [name, depth, values[1], values[5]]), first.tree.map(({ name, depth, cycles, draws }) => [name, depth, cycles, draws]));
    for (const [i, { cells, values }] of tree.entries()) {
      assert(Math.abs(values[3] - first.tree[i].share) < 1e-9);
      assert(Math.abs(parseFloat(cells[2].replaceAll(",", "")) - first.tree[i].milliseconds) <= 0.005 * first.tree[i].milliseconds + 1e-12, `${cells[2]} is ${first.tree[i].milliseconds} ms`);
    }
    assert.equal(tree.filter(({ depth }) => depth === 0).reduce((sum, { values }) => sum + values[1], 0), first.figures.cycles, "the outermost labels sum to the frame");
    await tab.click('.tree button[aria-label="Close"]');
    assert.equal(await tab.locator(".tree tbody tr").count(), tree.length - 1, "a closed group hides its groups");
    // A bar for each frame, as high as its cycles.
    const bars = await tab.$$eval(".frames rect", (all) => all.map((one) => Number(one.dataset.cycles)));
    const frames = await tab.$$eval('select[aria-label="Frame"] option', (all) => all.length);
    assert.equal(bars.length, frames > 1 ? frames : 0);
    if (frames > 1) assert(bars.includes(first.figures.cycles));
    // The bar of what the cycles were for is full.
    const phases = await tab.$$eval(".phases .bar span", (parts) => parts.map((part) => [part.dataset.phase, Number(part.dataset.cycles), part.getBoundingClientRect().width]));
    assert.deepEqual(Object.fromEntries(phases.map(([phase, cycles]) => [phase, cycles])), first.phases);
    const width = await tab.$eval(".phases .bar", (bar) => bar.getBoundingClientRect().width);
    for (const [phase, cycles, wide] of phases)
      assert(Math.abs(wide - (width * cycles) / first.figures.cycles) < 0.5, `${phase} is as wide as its share`);
    assert((await tab.textContent(".phases .legend")).includes("draws"));
    assert(await tab.$eval("img.picture", (image) => image.complete && image.naturalWidth > 0));
    assert((await tab.textContent("main")).includes(wanted.markup), "the program's name is shown as it is");
  },

  async machine() {
    await view("machine");
    assert.equal(await tab.locator(".diagram .unit").count(), new Set(Object.keys(first.shares).map((unit) => unit.replace(/\d+$/, ""))).size);
    sharesAre(await table("Units"), first.shares);
    await tab.check("input[value=interval]");
    assert.equal(Number(await tab.getAttribute(".slide input", "max")), first.intervals - 1);
    await tab.locator(".slide input").fill(String(first.interval));
    assert.equal(await tab.textContent(".moment"), `cycles ${first.began.toLocaleString("en-US")} to ${first.ended.toLocaleString("en-US")}`);
    sharesAre(await table("Units"), first.interval_shares);
    // A column is as high as its shares.
    const title = await tab.textContent(".diagram .unit:nth-of-type(1) title");
    assert.match(title, /busy \d/);
    const binds = new Map();
    for (const [unit, share] of first.interval_binds) {
      const kind = short(unit).replace(/\d+$/, "");
      binds.set(kind, (binds.get(kind) ?? 0) + share);
    }
    const boxes = await tab.$$eval(".diagram .unit", (all) => all.map((one) => [one.querySelector(".name").textContent, one.querySelector(".binds").textContent]));
    for (const [name, text] of boxes) {
      const share = binds.get(name.replace(/ ×\d+$/, "")) ?? 0;
      assert.equal(text, share >= 0.005 ? `binds ${(share * 100).toFixed(0)} %` : "", name);
    }
    // What binds stands inside its box, below the name.
    const places = await tab.$$eval(".diagram .unit", (all) =>
      all.filter((one) => one.querySelector(".binds").textContent).map((one) => [".box", ".name", ".binds"].map((part) => one.querySelector(part).getBBox()).map(({ y, height }) => [y, y + height])),
    );
    assert(places.length > 0);
    for (const [box, name, binding] of places) assert(box[0] <= binding[0] && binding[1] <= box[1] + 1 && name[1] <= binding[0] + 4, `${[box, name, binding]}`);
    await tab.focus(".slide input");
    await tab.keyboard.press("ArrowRight");
    assert.equal(Number(await tab.inputValue(".slide input")), first.interval + 1);
  },

  // The emulator's pictures after draws have the colors that the log of fragments has; meshes have the primitives that
  // the database counts; textures are pictures.
  async pictures() {
    await view("draws");
    const { draws, after_draw } = wanted.pixels;
    const hash = await tab.evaluate(() => location.hash);
    for (const [k, points] of after_draw.filter(([k]) => k > 0)) {
      const work = draws[k - 1];
      await tab.evaluate(([hash, work]) => (location.hash = hash.replace(/&(work|pixel)=[^&]*/g, "") + `&work=${work}`), [hash, work]);
      await tab.waitForSelector(`.pair[data-ready="${work}"]`);
      const marked = tab.locator(".details label", { hasText: "mark what" }).locator("input");
      if (await marked.isChecked()) {
        await tab.evaluate(() => delete document.querySelector(".pair").dataset.ready);
        await marked.uncheck();
        await tab.waitForSelector(`.pair[data-ready="${work}"]`);
      }
      const shown = await tab.$eval(".pair figure:last-child canvas", (canvas, points) => points.map(([x, y]) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data]), points);
      points.forEach(([x, y, color], i) => color[3] && assert.deepEqual(shown[i], color, `after draw ${k}, pixel ${x}, ${y}`));
      assert(points.some(([, , color]) => color[3]), "some pixels are in the log");
      const primitives = first.primitives.find(([one]) => one === work)[1];
      await tab.waitForSelector(".mesh canvas");
      assert.match(await tab.textContent(".mesh .note"), new RegExp(`^${primitives.toLocaleString("en-US")} triangles`));
    }
    const textures = await tab.$$eval(".textures img", (all) => all.map((one) => one.naturalWidth));
    assert(textures.length > 0 && textures.every((width) => width > 0), "the textured draw shows its texture");
    assert.equal(await tab.locator(".remark", { hasText: "capture" }).count(), 0, "the capture is the run's");
    await tab.evaluate((hash) => (location.hash = hash), hash);
  },

  async draws() {
    await view("draws");
    const name = "Draws and other work";
    const ranked = await table(name);
    assert.equal(ranked.length, first.work.length);
    // Draws stand first, the longest before others.
    const isDraw = ranked.map((row) => / draw$|^draw$/.test(cell(row, "kind").text));
    assert.deepEqual(isDraw, isDraw.slice().sort((a, b) => b - a));
    const ofDraws = ranked.filter((_, i) => isDraw[i]).map((row) => cell(row, "cycles").value);
    assert.deepEqual(ofDraws, ofDraws.slice().sort((a, b) => b - a));
    const names = ranked.filter((_, i) => isDraw[i]).map((row) => cell(row, "name").text);
    assert.equal(new Set(names).size, names.length, "no two draws have the same name");
    let rows = ranked.slice().sort((a, b) => cell(a, "work").value - cell(b, "work").value);
    first.work.forEach(([work, marginal, occupied, vertices], i) => {
      assert.equal(cell(rows[i], "work").value, work);
      assert.equal(cell(rows[i], "cycles").value, marginal);
      assert.equal(cell(rows[i], "occupied cycles").value, occupied);
      assert.equal(cell(rows[i], "indices").value, vertices);
      assert.equal(cell(rows[i], "instructions").value, first.instructions[i][1]);
      assert.equal(cell(rows[i], "samples written").value, first.written[i][1]);
      assert.equal(cell(rows[i], "texture footprint, bytes").value, first.footprints[i][1]);
      assert.equal(cell(rows[i], "in one cache, bytes").value, first.footprints[i][2]);
    });
    for (const [work, [words, share]] of first.work_causes) assert.equal(cell(rows[work], "held up by").text, `${words} ${(share * 100).toFixed(0)} %`, `held up: ${work}`);
    assert.equal(rows.reduce((all, row) => all + cell(row, "cycles").value, 0), first.figures.cycles);
    assert(cell(rows[wanted.draw], "name").text.startsWith(`scene / ${wanted.markup}`), "a label is shown as it is");

    await tab.click(`.scroller[aria-label="${name}"] th button:text-is("cycles")`);
    rows = await table(name);
    const sorted = first.work.map((row) => row[1]).sort((a, b) => b - a);
    assert.deepEqual(rows.map((row) => cell(row, "cycles").value), sorted);

    await tab.fill(`input[aria-label="Filter: ${name}"]`, "onerror");
    rows = await table(name);
    assert.deepEqual(rows.map((row) => cell(row, "work").value), [wanted.draw]);
    await tab.click(`.scroller[aria-label="${name}"] tbody tr`);
    const details = await tab.textContent(".details");
    for (const line of first.program.split("\n").filter(Boolean)) assert(details.includes(line), line);
    assert(details.includes("SPIR-V that it comes from"));
    // Beside the fragment program, what groups did at each of its instructions: for the draw, and in the frame.
    const times = first.instruction_times;
    assert.equal(times.work, wanted.draw);
    for (const [scope, expected] of [["work", times.own], ["all", times.all]]) {
      const program = tab.locator(".program").last();
      await program.locator("select").selectOption(scope);
      const shown = await program.locator("tbody tr").evaluateAll((rows) =>
        rows.map((row) => ({
          ...Object.fromEntries([...row.querySelectorAll("[data-column]")].map((one) => [one.dataset.column, Number(one.dataset.value)])),
          hot: row.classList.contains("hot"),
          bar: row.querySelector(".bar.time") !== null,
        })),
      );
      assert(expected.length > 0 && shown.length >= expected.length);
      const most = Math.max(...expected.map((row) => row[3])), all = expected.reduce((sum, row) => sum + row[3], 0);
      const byInstruction = new Map(expected.map((row) => [row[0], row]));
      shown.forEach((row, i) => {
        const [, issued, lanes, waited] = byInstruction.get(i) ?? [i, 0, 0, 0];
        assert.deepEqual(row, { issued, lanes, waited, share: waited / all, hot: waited === most, bar: issued > 0 }, `${scope}: instruction ${i}`);
      });
    }
    await tab.click(".program summary >> nth=0");
    await tab.waitForSelector(".listing .code"); // it is made when it is opened
    assert((await tab.textContent(".listing")).includes("OpEntryPoint"));
    assert.equal(new URLSearchParams(new URL(tab.url()).hash.slice(1)).get("work"), String(wanted.draw));

    // By keys: down goes to the next row.
    await tab.fill(`input[aria-label="Filter: ${name}"]`, "");
    await tab.click(`.scroller[aria-label="${name}"] th button:text-is("work")`);
    await tab.click(`.scroller[aria-label="${name}"] tbody tr >> nth=0`);
    const at = await tab.$eval("tr.chosen", (row) => Number(row.dataset.row));
    await tab.keyboard.press("ArrowDown");
    assert.equal(await tab.$eval("tr.chosen", (row) => Number(row.dataset.row)), at + 1);
    // A click on the strip chooses too.
    const strip = await tab.locator(".u-over").first().boundingBox();
    const free = [];
    const lanes = first.work.map(([, , , , , began, ended]) => {
      const lane = free.findIndex((end) => end <= began);
      free[lane < 0 ? free.length : lane] = ended;
      return lane < 0 ? free.length - 1 : lane;
    });
    const longest = first.work.reduce((a, b) => (b[2] > a[2] ? b : a));
    const middle = (longest[5] + longest[6]) / 2;
    await tab.mouse.click(
      strip.x + (middle / first.figures.cycles) * strip.width,
      strip.y + ((lanes[longest[0]] + 0.5) / free.length) * strip.height,
    );
    const chosen = Number(await tab.$eval("tr.chosen td", (one) => one.textContent));
    assert.equal(chosen, longest[0]);
    assert((await tab.textContent(".details h2")).startsWith(`${chosen}:`));
  },

  async time() {
    await view("time");
    assert(await tab.locator(".plot canvas").count() >= 7);
    const drawn = await tab.$$eval(".plot canvas", (all) =>
      all.map((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte !== 0)),
    );
    assert(drawn.every(Boolean), "a chart is empty");
    // The legend tells the shares of the interval under the cursor.
    await tab.selectOption(".chosen select >> nth=0", "memory controller");
    const chart = tab.locator("figure", { hasText: "Where the cycles of memory controller went" });
    const over = chart.locator(".u-over");
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await tab.mouse.move(box.x + ((first.began + 1) / first.figures.cycles) * box.width, box.y + box.height / 2);
    const legend = await chart.locator(".u-series").allTextContents();
    accounts.forEach((account, i) => {
      const text = legend.find((one) => one.startsWith(account));
      const share = first.interval_shares["gpu.memory_controller"][i];
      assert.equal(text, `${account}${+(share * 100).toFixed(1)} %`, `${account} of the memory controller`);
    });
    await tab.click('button[aria-label="Show less"]');
    const zoomed = await tab.textContent(".zoom .count");
    assert.doesNotMatch(zoomed, /cycles 0 to/);
    await tab.click('button[aria-label="The whole frame"]');
    assert.match(await tab.textContent(".zoom .count"), /cycles 0 to/);
    // One color for a kind of unit in all charts, and another for each other kind.
    const legends = await tab.$$eval(".u-series", (all) => all.map((one) => [one.querySelector(".u-label").textContent.replace(/ ×\d+$/, ""), one.querySelector(".u-marker")?.style.borderColor || one.querySelector(".u-marker")?.style.border]));
    const colors = new Map();
    const kinds = new Set(Object.keys(first.shares).map((unit) => short(unit).replace(/\d+$/, "")));
    for (const [label, color] of legends) {
      if (!kinds.has(label)) continue;
      colors.set(label, (colors.get(label) ?? new Set()).add(color.replace(/^.*(rgb|#)/, "$1")));
    }
    assert(colors.size > 10);
    for (const [kind, found] of colors) assert.equal(found.size, 1, `${kind}: ${[...found]}`);
    assert.equal(new Set([...colors.values()].map((found) => [...found][0])).size, colors.size);
    // What memory can move is told in cycles of the core.
    for (const [i, run] of wanted.runs.entries()) {
      await tab.selectOption("header select >> nth=0", String(i));
      const traffic = (run.figures.bytes_read + run.figures.bytes_written) / run.figures.cycles;
      const note = `both ways: ${traffic.toFixed(2)}, ${shown(traffic / run.clocks.peak)} of the ${+run.clocks.peak.toFixed(2)} that`;
      assert((await tab.textContent("main")).includes(note), note);
    }
    assert.notEqual(first.clocks.peak, second.clocks.peak);
    await tab.selectOption("header select >> nth=0", "0");
  },

  async memory() {
    await view("memory");
    const caches = await table("Caches");
    for (const [unit, hits, misses] of first.caches) {
      const row = caches.find((one) => cell(one, "unit").text === short(unit) && cell(one, "cache").text === "cache");
      assert.equal(cell(row, "hits").value, hits, unit);
      assert.equal(cell(row, "misses").value, misses, unit);
    }
    const clients = await table("Clients of memory");
    for (const [client, read, write] of first.clients) {
      const row = clients.find((one) => cell(one, "client").text === short(client));
      assert.equal(cell(row, "read").value, read, client);
      assert.equal(cell(row, "written").value, write, client);
    }
    assert.equal(await tab.$$eval("tbody", (all) => all.filter((one) => !one.querySelector("[data-value]")).length), 0, "no table is empty");
    const wires = await table("Queues");
    for (const [sender, receiver, messages] of first.wires) {
      const row = wires.find((one) => cell(one, "from").text === short(sender) && cell(one, "to").text === short(receiver));
      assert.equal(cell(row, "messages").value, messages, `${sender} to ${receiver}`);
    }
  },

  async heat() {
    await view("heat");
    await tab.selectOption("label:has-text('Show') select", "written");
    await tab.selectOption("label:has-text('of') select >> nth=-1", "");
    await tab.focus(".stage");
    await tab.keyboard.press("ArrowRight");
    await tab.keyboard.press("ArrowRight");
    await tab.keyboard.press("ArrowDown");
    const value = first.tiles.find(([x, y]) => x === 2 && y === 1)[2];
    assert.equal(await tab.textContent("output.moment"), `tile 2, 1 (pixels 16, 8): ${value.toLocaleString("en-US")} samples written`);
    const pixel = await tab.$eval("canvas.heat", (canvas) => [...canvas.getContext("2d").getImageData(15, 11, 1, 1).data]);
    assert.deepEqual(pixel, [252, 255, 164, 255], "the most has the brightest color");
    assert(await tab.$eval(".stage", (stage) => stage.getBoundingClientRect().bottom + scrollY <= innerHeight), "the map fits the window");
    await tab.selectOption("label:has-text('Show') select", "last_write");
    const last = Math.max(...first.tiles.map((one) => one[3]));
    assert.equal(await tab.textContent(".tools:has(.scale) span"), `cycle ${last.toLocaleString("en-US")}`);
    assert.equal(await tab.textContent("output.moment"), `tile 2, 1 (pixels 16, 8): last written in cycle ${first.tiles.find(([x, y]) => x === 2 && y === 1)[3]}`);
    await tab.selectOption("header select >> nth=0", "1");
    await tab.waitForFunction(() => document.title.includes("shader") || document.querySelector("main").textContent.includes("no counts of tiles"));
    assert((await tab.textContent("main")).includes("no counts of tiles"));
    await tab.selectOption("header select >> nth=0", "0");
  },

  async pixels() {
    await view("pixels");
    await tab.waitForSelector(".stage[data-ready]");
    const { surface, draws, after_draw, at_cycle, pixel, history } = wanted.pixels;
    await tab.selectOption("select[aria-label=Target]", String(surface));
    const slider = tab.locator("input[aria-label=Moment]");
    const shows = async (colors, when) => {
      const found = await tab.$eval("canvas.pixels", (canvas, places) => places.map(([x, y]) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data]), colors);
      colors.forEach(([x, y, color], i) => assert.deepEqual(found[i], color, `${when}: pixel ${x}, ${y}`));
    };
    assert.equal(Number(await slider.getAttribute("max")), draws.length);
    for (const [draw, colors] of after_draw) {
      await slider.fill(String(draw));
      await shows(colors, `after draw ${draw}`);
      const told = await tab.textContent("output.moment");
      assert(told.startsWith(draw ? `after draw ${draw} of ${draws.length} (work ${draws[draw - 1]}: ` : "before the first"), told);
    }
    await tab.selectOption("select[aria-label=Step]", "cycle");
    for (const [cycle, colors] of at_cycle.concat(at_cycle.slice(0, 1))) {
      await slider.fill(String(cycle));
      await shows(colors, `at cycle ${cycle}`);
    }
    // The history of a pixel that the address names, and by keys.
    await tab.goto(`file://${wanted.page}#view=pixels&run=0&frame=${first.frame}&pixel=${pixel}`);
    await tab.reload();
    await tab.waitForSelector(".stage[data-ready]");
    const kinds = ["hierarchical", "by the depth test", "by the stencil test", "its program", "sample mask", "depth test after", "stencil test after", "written", "color not logged", "passed"];
    const told = await table("History of the pixel");
    assert.deepEqual(told.map((row) => [cell(row, "cycle").value, Number(cell(row, "draw").text.split(":")[0])]), history.map(([cycle, work]) => [cycle, work]));
    history.forEach(([, , kind], i) => assert(cell(told[i], "what became of it").text.includes(kinds[kind])));
    const pressed = async (key) => {
      await tab.focus(".stage");
      await tab.keyboard.press(key);
      return new URLSearchParams(new URL(tab.url()).hash.slice(1)).get("pixel");
    };
    assert.equal(await pressed("ArrowRight"), `${pixel[0] + 1},${pixel[1]}`);
    assert.equal(await pressed("ArrowLeft"), String(pixel));
    await tab.keyboard.press("PageUp");
    assert.equal(Number(await slider.inputValue()), draws.length - 1);
    // A row brings the picture to its moment.
    await tab.click('.scroller[aria-label="History of the pixel"] tbody tr >> nth=0 >> td >> nth=0');
    assert.equal(draws[Number(await slider.inputValue()) - 1], history[0][1]);
    // In the order of writing the first has the darkest color.
    await tab.selectOption("select[aria-label=Step]", "cycle");
    await tab.selectOption("select[aria-label=Colors]", "order");
    const dark = await tab.$eval("canvas.pixels", (canvas) => {
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      const sums = [];
      for (let i = 0; i < data.length; i += 4) if (data[i + 3]) sums.push(data[i] + data[i + 1] + data[i + 2]);
      return [Math.min(...sums), Math.max(...sums)];
    });
    assert(dark[0] < dark[1], `${dark}`);
    await tab.selectOption("select[aria-label=Speed]", "3");
    await tab.click("button:text-is('Play')");
    await tab.waitForFunction((all) => Number(document.querySelector("input[aria-label=Moment]").value) > all / 4, first.figures.cycles);
    await tab.click("button:text-is('Pause')");
    const stopped = await slider.inputValue();
    await tab.waitForTimeout(200);
    assert.equal(await slider.inputValue(), stopped);
    await tab.selectOption("header select >> nth=0", "1");
    await tab.waitForFunction(() => document.querySelector("main").textContent.includes("--stats fragments"));
    await tab.selectOption("header select >> nth=0", "0");
  },

  async parameters() {
    await view("parameters");
    const rows = await table("Parameters");
    for (const [path, value] of first.parameters.slice(0, 20)) {
      const row = rows.find((one) => cell(one, "parameter").text === path);
      assert.equal(cell(row, "value").text, value, path);
      for (const told of ["meaning", "range"]) assert(cell(row, told).text, `${path} has a ${told}`);
    }
  },

  async compare() {
    await view("compare");
    const figures = await table("Figures of the frame");
    const cycles = figures.find((row) => row[0].text === "cycles");
    assert.equal(cycles[1].value, first.figures.cycles);
    assert.equal(cycles[2].value, second.figures.cycles);
    const change = second.figures.cycles / first.figures.cycles - 1;
    assert.equal(cycles[3].text, `${change > 0 ? "+" : "−"}${shown(Math.abs(change))}`);
    const parameters = await table("Parameters that differ");
    const other = new Map(second.parameters);
    const differ = first.parameters.filter(([path, value]) => other.has(path) && other.get(path) !== value).map(([path]) => path);
    assert.deepEqual(parameters.map((row) => row[0].text).sort(), differ.concat(wanted.only_in_one).sort());
    // What is in one run only stands first, then by how many times larger one is.
    const factors = parameters.map((row) => (row[3].text.startsWith("only in") ? Infinity : row[3].text === "from 0" ? Number.MAX_VALUE : Number(row[3].text.replace("× ", ""))));
    assert.equal(factors.filter((one) => one === Infinity).length, wanted.only_in_one.length);
    assert.deepEqual(factors, factors.slice().sort((a, b) => b - a));
    assert(new Set(factors).size > 2 && parameters.map((row) => row[0].text).join() !== parameters.map((row) => row[0].text).sort().join());
    // Clocks differ: the headline and the draws are in time, and only time and bytes are judged.
    const took = (run, cycles) => cycles / run.clocks.core_mhz;
    const share = took(second, second.figures.cycles) / took(first, first.figures.cycles) - 1;
    const headline = await tab.textContent(".verdict");
    assert(headline.includes(`takes ${shown(Math.abs(share))} ${share > 0 ? "more" : "less"} time than`), headline);
    assert(headline.includes(`${(took(second, second.figures.cycles) / 1000).toFixed(2)} ms`), headline);
    const judged = await tab.$$eval(".scroller[aria-label='Figures of the frame'] tr:has(.more, .less) td:first-child", (all) => all.map((one) => one.textContent));
    assert(judged.includes("time, µs"));
    for (const name of judged) assert(["time, µs", "read from memory", "written to memory"].includes(name), name);
    const figureNames = figures.map((row) => row[0].text);
    assert(figureNames.includes(`instructions, groups of ${first.clocks.lanes} against ${second.clocks.lanes} lanes`), `${figureNames}`);
    // What held the machines up, by cause, of both.
    const binding = await table("What binds");
    for (const [i, run] of wanted.runs.entries())
      for (const [words, share] of run.causes) assert.equal(binding.find((row) => row[0].text === words)[1 + i].text, shown(share), words);
    const spreads = binding.map((row) => row[3].value);
    assert.deepEqual(spreads, spreads.slice().sort((a, b) => b - a));
    // Kinds of units of one machine only stand first.
    const units = await table("Accounts of units");
    const kindsOf = (run) => new Set(Object.keys(run.shares).map((unit) => short(unit).replace(/\d+$/, "")));
    const only = [...kindsOf(first), ...kindsOf(second)].filter((kind) => !kindsOf(first).has(kind) || !kindsOf(second).has(kind));
    assert(only.length > 0);
    assert.deepEqual(units.slice(0, only.length).map((row) => row[0].text).sort(), only.sort());
    for (const row of units.slice(0, only.length)) assert(cell(row, "spread").text.startsWith("only in "), row[0].text);
    const draws = await table("Draws side by side");
    for (const row of draws) {
      const work = Number(row[0].text.split(":")[0]);
      assert.equal(row[1].value, Math.round(took(first, first.work[work][1]) * 1000) / 1000);
      assert.equal(row[2].value, Math.round(took(second, second.work[work][1]) * 1000) / 1000);
    }
  },

  async theme_keys_and_print() {
    const background = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await background(), "rgb(255, 255, 255)");
    await tab.click("button.theme");
    assert.notEqual(await background(), "rgb(255, 255, 255)");
    await tab.evaluate(() => document.activeElement.blur());
    await tab.keyboard.press("1");
    await tab.waitForSelector("main[data-ready=overview]");
    // Paper is white, and charts are there at once.
    await tab.keyboard.press("4");
    await tab.waitForSelector("main[data-ready=time]");
    const charts = await tab.evaluate(() => {
      window.dispatchEvent(new Event("beforeprint"));
      return [getComputedStyle(document.body).backgroundColor, document.querySelectorAll(".plot canvas").length];
    });
    assert.equal(charts[0], "rgb(255, 255, 255)");
    assert(charts[1] >= 7);
    await tab.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    assert.notEqual(await background(), "rgb(255, 255, 255)");
    const pdf = await tab.pdf();
    assert(pdf.length > 10_000);
    await tab.goto(`file://${wanted.page}#view=time&run=1`);
    await tab.reload();
    await tab.waitForSelector("main[data-ready=time]");
    assert.equal(await tab.inputValue("header select >> nth=0"), "1");
    await tab.goto(`file://${wanted.page}#view=nonsense&run=1`);
    await tab.waitForSelector("main[data-ready=overview]");
    assert.equal(new URLSearchParams(new URL(tab.url()).hash.slice(1)).get("view"), "overview", "the address names what is shown");
    await tab.goto(`file://${wanted.page}#view=draws&run=1&work=${wanted.draw}`);
    await tab.waitForSelector("main[data-ready=draws] .details h2");
    assert.equal(await tab.$eval("tr.chosen", (row) => row.firstChild.textContent), String(wanted.draw));
    assert((await tab.textContent(".details")).includes("topology"));
    await tab.click("nav a[data-view=parameters]");
    await tab.waitForSelector("main[data-ready=parameters]");
    // In the dark too paper has all rows of tables of which only those in sight are in the document.
    assert.notEqual(await background(), "rgb(255, 255, 255)");
    const leftOut = () => document.querySelectorAll("tr.spacer").length;
    assert((await tab.evaluate(leftOut)) > 0, "a table has so many rows that not all are in the document");
    assert.equal(await tab.evaluate(() => (window.dispatchEvent(new Event("beforeprint")), document.querySelectorAll("tr.spacer").length)), 0);
    await tab.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    assert((await tab.evaluate(leftOut)) > 0);
  },

  async fits_1024_pixels() {
    await tab.setViewportSize({ width: 1024, height: 800 });
    for (const name of await tab.$$eval("nav a", (tabs) => tabs.map((one) => one.dataset.view))) {
      await view(name);
      if (name === "draws") await tab.click('.scroller[aria-label="Draws and other work"] tbody tr');
      assert(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
    }
    await tab.setViewportSize({ width: 1280, height: 800 });
  },

  async asks_nobody() {
    const others = requests.filter((url) => !url.startsWith(`file://${wanted.page}`) && !url.startsWith("data:") && !url.startsWith("blob:"));
    assert.deepEqual(others, []);
    assert.deepEqual(faults, []);
    assert.equal(await tab.evaluate(() => window.broken), undefined, "text of a capture ran as a script");
  },
};

let failed = 0;
await tab.goto(`file://${wanted.page}`);
await tab.waitForSelector("main[data-ready=overview]");
tab.setDefaultTimeout(20_000);
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.stack ?? error}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);

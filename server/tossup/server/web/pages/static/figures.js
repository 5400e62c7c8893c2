// Beside every figure as SVG, the same as PNG: the browser draws it, twice as large.
async function draw(event) {
  event.preventDefault();
  const image = new Image();
  image.src = event.currentTarget.href;
  const name = event.currentTarget.download;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    const file = document.createElement("a");
    file.href = URL.createObjectURL(blob);
    file.download = name;
    file.click();
    setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
  });
}

function offer() {
  for (const svg of document.querySelectorAll("a[data-png]")) {
    const png = svg.cloneNode();
    png.textContent = "PNG";
    png.download = svg.dataset.png;
    png.removeAttribute("data-png");
    png.addEventListener("click", draw);
    svg.removeAttribute("data-png");
    svg.after(" ", png);
  }
}

offer();
// What the page says may come anew while it is open.
new MutationObserver(offer).observe(document.querySelector("main"), { childList: true, subtree: true });

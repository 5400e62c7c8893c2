// Links to the other pages of a survey keep the key, which stands behind the # of the address.
for (const link of document.querySelectorAll("a[data-keyed]")) link.hash = location.hash;

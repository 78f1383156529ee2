package date

// PlacesText is the table of places.
var PlacesText = placesText
